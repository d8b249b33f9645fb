/** The frame around every view. */

import type { ComponentType } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";

import { announced } from "../core/announcer";
import { answered, awaitServer, connection, Problem } from "../core/api";
import { listenToKeys, useKeys } from "../core/keys";
import { listen } from "../core/live";
import { address, followLinks, go, useRoute } from "../core/router";
import { useValue } from "../core/state";
import { nextTheme } from "../core/theme";
import { Empty, Failed, GreyLines } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";
import { Confirm } from "./Confirm";
import { KeysSheet } from "./KeysSheet";
import { Palette } from "./Palette";
import { closeFloating, floating, openKeys, openPalette } from "./palette-state";
import { Rail } from "./Rail";
import { Tabs } from "./Tabs";
import { ToastView } from "./Toast";
import { viewOf, VIEWS, type View, type ViewProps } from "./views";

const PATIENCE_MS = 150;

export function App() {
  const shown = useValue(floating);
  const [drawer, setDrawer] = useState(false);
  useEffect(followLinks, []);
  useEffect(listenToKeys, []);
  useEffect(awaitServer, []);
  useEffect(listen, []);
  useKeys([
    { keys: "Ctrl K", does: "Search or jump to", run: openPalette, group: "Everywhere" },
    { keys: "?", does: "Show all keys", run: openKeys, group: "Everywhere" },
    { keys: "/", does: "Go to the filter", run: focusFilter, group: "Everywhere" },
    { keys: "g l", does: "Light, dark, or system theme", run: nextTheme, group: "Everywhere" },
    ...VIEWS.filter((view) => view.key).map((view) => ({
      keys: `g ${view.key}`,
      does: view.title,
      run: () => go(address(`/${view.part}`)),
      group: "Views",
    })),
  ]);
  return (
    <div class="frame">
      <a class="skip" href="#view">
        Skip to the content
      </a>
      <Rail open={drawer} close={() => setDrawer(false)} />
      <main class="main">
        <ConnectionBanner />
        <CurrentView />
      </main>
      <Tabs open={drawer} toggle={() => setDrawer(!drawer)} close={() => setDrawer(false)} />
      <Announcer />
      <ToastView />
      {shown === "palette" && <Palette />}
      {shown === "keys" && <KeysSheet />}
      <Confirm />
    </div>
  );
}

function Announcer() {
  return (
    <div class="hidden-text" aria-live="polite">
      {useValue(announced)}
    </div>
  );
}

function focusFilter(): void {
  const filter = document.querySelector<HTMLElement>("[data-filter]");
  if (filter) filter.focus();
  else openPalette();
}

function ConnectionBanner() {
  const now = useValue(connection);
  if (now === "ok") return null;
  return (
    <div class="banner" role="alert">
      {now === "gone" ? (
        <>
          <b>The server does not answer.</b> What is shown stays readable, and nothing is sent until it is back. Start{" "}
          <code>mem serve</code> again; this page goes on by itself.
        </>
      ) : (
        <>
          <b>This browser is not logged in, or its session has ended.</b> Open the link that <code>mem serve</code> printed; <code>{linkCommand()}</code> prints a new one.
        </>
      )}
    </div>
  );
}

/** The command that prints a new link to this server. */
function linkCommand(): string {
  return location.port === "8080" ? "mem serve --link" : `mem serve --link --port ${location.port}`;
}

function CurrentView() {
  const route = useRoute();
  const view = viewOf(route);
  const loaded = useLoaded(view);
  const known = useValue(answered);
  const shut = useValue(connection) === "ended" && !known;
  useLayoutEffect(closeFloating, [route]); // at once: what is opened just afterwards stays open
  if (shut)
    return (
      <div class="view" id="view">
        <h1 class="hidden-text">Not logged in</h1>
        <Empty title="Log in with a link" command={linkCommand()}>
          <p>The server prints a link when it starts. This command prints a new one; open it in this browser:</p>
        </Empty>
      </div>
    );
  if (!view)
    return (
      <ViewPage title="Not found" padded={false}>
        <Empty title="There is no such page">
          <p>
            Nothing is at <code>{route.path}</code>. <a href={address("/")}>Go to the dashboard</a>
          </p>
        </Empty>
      </ViewPage>
    );
  if (loaded.failed) return <Failed problem={loaded.failed} retry={() => location.reload()} />;
  const Shown = loaded.component;
  return Shown ? <Shown route={route} /> : loaded.slow ? <GreyLines /> : null;
}

const READY = new Map<View, ComponentType<ViewProps>>();

/** Load the file of a view once. */
function useLoaded(view: View | null) {
  const [, again] = useState(0);
  const [slow, setSlow] = useState(false);
  const [failed, setFailed] = useState<Problem | null>(null);
  useEffect(() => {
    setSlow(false);
    setFailed(null);
    if (!view || READY.has(view)) return;
    const timer = setTimeout(() => setSlow(true), PATIENCE_MS);
    view.load().then(
      (file) => {
        READY.set(view, file.default);
        again((n) => n + 1);
      },
      () =>
        setFailed(
          new Problem({
            status: 0,
            code: "view_missing",
            detail: `The view ${view.title} could not be loaded.`,
            next_step: "The server may have been updated or stopped. Load the page again.",
          }),
        ),
    );
    return () => clearTimeout(timer);
  }, [view]);
  return { component: view ? READY.get(view) : undefined, slow, failed };
}

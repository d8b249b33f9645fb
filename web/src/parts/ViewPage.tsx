/** The parts that all views share: title, controls in the top bar, the menu, and the body. */

import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";

import { route } from "../core/router";
import { openPalette } from "../frame/palette-state";
import { quoted } from "../model/words";
import { copy } from "./Copy";
import { Icon } from "./Icon";
import { Menu, type MenuItem } from "./Menu";

export interface ViewPageProps {
  title: string;
  /** The same as a `mem` command, for the menu. */
  command?: string;
  /** The address of the JSON behind the view, for the menu. */
  json?: string;
  menu?: MenuItem[];
  controls?: ComponentChildren;
  /** False for a view that scrolls its own parts. */
  padded?: boolean;
  children: ComponentChildren;
}

const REACHES = /^mem (list|why|stats|timeline|review|insights)\b/u;
const TAKES_PROJECT = /^mem tasks\b/u;

/** Name the chosen project in a command that would else take the one of its folder. */
function inReach(command: string, project: string | null): string {
  const whole = project === "all" || project === "global";
  if (!project || !(REACHES.test(command) || (TAKES_PROJECT.test(command) && !whole))) return command;
  return `${command} ${whole ? `--${project}` : `--project ${quoted(project)}`}`;
}

const copyCommand = (command: string) => void copy(command, `Copied: ${command}`);

export function ViewPage({ title, command, json, menu = [], controls, padded = true, children }: ViewPageProps) {
  useEffect(() => {
    document.title = `${title} · Memory Layer`;
  }, [title]);
  const items: MenuItem[] = [
    ...menu,
    ...(command ? [{ label: "Copy as mem command", run: () => copyCommand(inReach(command, route.get().query.get("p"))) }] : []),
    ...(json ? [{ label: "Open as JSON", href: json }] : []),
  ];
  return (
    <>
      <header class="top">
        <h1>{title}</h1>
        <div class="controls">{controls}</div>
        <button type="button" class="jump" onClick={openPalette} aria-label="Search or jump to… Ctrl K">
          <Icon name="search" />
          <span>Search or jump to…</span>
          <kbd>Ctrl K</kbd>
        </button>
        {items.length > 0 && <Menu label="More about this view" items={items} />}
      </header>
      <div class={padded ? "view padded" : "view"} id="view" tabIndex={-1}>
        {children}
      </div>
    </>
  );
}


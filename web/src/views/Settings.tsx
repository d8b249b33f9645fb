/** The settings: value, default, and where the value comes from. */

import { useState } from "preact/hooks";

import { write } from "../core/api";
import { chooseSingleKeys, singleKeys } from "../core/keys";
import { useValue } from "../core/state";
import { sayProblem } from "../core/toast";
import { useRead } from "../core/useRead";
import type { ViewProps } from "../frame/views";
import type { Page } from "../model/memory";
import { Ticked } from "../parts/MemoryText";
import { Command, Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";
import { Passkeys } from "../settings/Passkeys";
import "../health/health.css";

type Value = string | number | boolean | null;

interface Setting {
  key: string;
  value: Value;
  origin: string;
  default: Value;
  /** The word for no value. */
  unset: string;
  meaning: string;
}

export default function Settings(_: ViewProps) {
  const settings = useRead<Page<Setting>>("/api/settings", {}, { live: false });
  const [only, setOnly] = useState(false);
  const single = useValue(singleKeys);
  return (
    <ViewPage
      title="Settings"
      command="mem config list"
      json="/api/settings"
      controls={
        <label class="check">
          <input type="checkbox" checked={only} onChange={(event) => setOnly(event.currentTarget.checked)} /> Only changed settings
        </label>
      }
    >
      <div class="health">
        <section class="section" aria-labelledby="this-page">
          <h2 class="heading" id="this-page">
            This page
          </h2>
          <label class="check">
            <input type="checkbox" checked={single} onChange={(event) => chooseSingleKeys(event.currentTarget.checked)} />
            <span>
              Single keys such as <kbd>j</kbd> or <kbd>a</kbd> work. Escape and keys with Ctrl always do.
            </span>
          </label>
          <p class="check">
            <button type="button" class="button" onClick={logOut}>
              Log out
            </button>
            <span class="small muted">This browser then needs a new link; other browsers stay logged in.</span>
          </p>
        </section>
        <Passkeys />
        <Shown reading={settings} lines={12}>
          {({ items }) => (
            <section class="section" aria-labelledby="program">
              <h2 class="heading" id="program">
                The program <span class="aside">changed at a terminal only</span>
              </h2>
              <Command text="mem config set search.limit 5" />
              <table class="lines settings">
                <thead>
                  <tr>
                    <th scope="col">Setting</th>
                    <th scope="col">Value</th>
                    <th scope="col">From</th>
                  </tr>
                </thead>
                <tbody>
                  {items.filter((each) => !only || differs(each)).map((each) => (
                    <tr key={each.key}>
                      <th scope="row">
                        <code>{each.key}</code>
                        <p class="small secondary">
                          <Ticked text={each.meaning} />
                        </p>
                      </th>
                      <td>
                        {differs(each) ? <b>{worded(each.value) || each.unset || "–"}</b> : worded(each.value) || "–"}
                        {differs(each) && (worded(each.default) || each.unset) && <p class="small secondary">default {worded(each.default) || each.unset}</p>}
                      </td>
                      <td class="secondary">{each.origin}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          )}
        </Shown>
      </div>
    </ViewPage>
  );
}

function logOut(): void {
  write("DELETE", "/api/session").then(() => location.replace("/"), sayProblem);
}

function differs(setting: Setting): boolean {
  return setting.origin !== "default";
}

function worded(value: Value): string {
  if (value === true) return "on";
  return value === false ? "off" : String(value ?? "");
}

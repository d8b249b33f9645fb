/** The settings, with where each value comes from. */

import { useRead } from "../core/useRead";
import type { ViewProps } from "../frame/views";
import type { Page } from "../model/memory";
import { Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";

interface Setting {
  key: string;
  value: unknown;
  origin: string;
}

export default function Settings(_: ViewProps) {
  const settings = useRead<Page<Setting>>("/api/settings", {}, { live: false });
  return (
    <ViewPage title="Settings" command="mem config list" json="/api/settings">
      <Shown reading={settings}>
        {({ items }) => (
          <table>
            <thead>
              <tr>
                <th>Setting</th>
                <th>Value</th>
                <th>From</th>
              </tr>
            </thead>
            <tbody>
              {items.map((each) => (
                <tr key={each.key}>
                  <td>
                    <code>{each.key}</code>
                  </td>
                  <td>{String(each.value)}</td>
                  <td class="muted">{each.origin}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </Shown>
    </ViewPage>
  );
}

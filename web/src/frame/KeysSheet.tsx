/** The sheet of all keys that do something now. */

import { bound, chooseSingleKeys, singleKeys, type Binding } from "../core/keys";
import { useValue } from "../core/state";
import { Dialog } from "../parts/Dialog";
import { closeFloating } from "./palette-state";

export function KeysSheet() {
  const on = useValue(singleKeys);
  const groups = new Map<string, Binding[]>();
  for (const each of bound()) if (each.group) groups.set(each.group, [...(groups.get(each.group) ?? []), each]);
  return (
    <Dialog title="Keys" close={closeFloating}>
      <div class="keys-sheet">
        {[...groups].map(([group, bindings]) => (
          <section key={group}>
            <h3>{group}</h3>
            <dl>
              {bindings.map((each) => (
                <div key={each.keys}>
                  <dt>{each.does}</dt>
                  <dd>
                    {each.keys.split(" ").map((key) => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <label class="check">
        <input type="checkbox" checked={on} onChange={(event) => chooseSingleKeys(event.currentTarget.checked)} />
        Single keys work. Escape and keys with Ctrl always do.
      </label>
      <div class="actions">
        <button type="button" class="button" data-first onClick={closeFloating}>
          Close
        </button>
      </div>
    </Dialog>
  );
}

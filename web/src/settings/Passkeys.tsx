/** The passkeys of this store: listed, added and removed. */

import { useState } from "preact/hooks";

import { write } from "../core/api";
import { addPasskey, canUsePasskeys, atName, type Passkey } from "../core/passkeys";
import { say, sayProblem } from "../core/toast";
import { useRead } from "../core/useRead";
import type { Page } from "../model/memory";
import { Shown } from "../parts/states";

export function Passkeys() {
  const known = useRead<Page<Passkey>>("/api/passkeys");
  const [name, setName] = useState("");
  const [busy, setBusy] = useState(false);
  const add = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const added = await addPasskey(name.trim());
      setName("");
      say(`The passkey ${added.name} is registered.`);
    } catch (failure) {
      sayProblem(failure);
    } finally {
      setBusy(false);
      known.reload();
    }
  };
  const remove = async (passkey: Passkey) => {
    try {
      await write("DELETE", `/api/passkeys/${passkey.id}`);
      say(`The passkey ${passkey.name} is removed. Its signatures stay valid.`);
    } catch (failure) {
      sayProblem(failure);
    }
    known.reload();
  };
  return (
    <section class="section" aria-labelledby="passkeys">
      <h2 class="heading" id="passkeys">
        Passkeys <span class="aside">they sign what you approve, erase and decide here</span>
      </h2>
      <Shown reading={known} lines={2}>
        {({ items }) =>
          items.length === 0 ? (
            <p class="secondary">None yet. Without one you confirm by the passphrase.</p>
          ) : (
            <table class="lines">
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Registered</th>
                  <th scope="col">Signatures</th>
                  <th scope="col">
                    <span class="hidden-text">Actions</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {items.map((each) => (
                  <tr key={each.id}>
                    <th scope="row" dir="auto">
                      {each.name}
                    </th>
                    <td class="secondary">
                      {each.created_at.slice(0, 10)} by {each.created_by}
                    </td>
                    <td class="secondary">{each.uses}</td>
                    <td>
                      <button type="button" class="button" onClick={() => void remove(each)}>
                        Remove<span class="hidden-text"> {each.name}</span>
                      </button>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Shown>
      {known.data && (canUsePasskeys() ? (
        <form class="actions" onSubmit={(event) => void add(event)}>
          <label>
            Name of a new passkey{" "}
            <input class="field" maxLength={60} value={name} onInput={(event) => setName(event.currentTarget.value)} />
          </label>
          <button class="button primary" disabled={busy || !name.trim()}>
            Add a passkey
          </button>
        </form>
      ) : (
        <p class="secondary">
          {atName()
            ? "This browser has no passkeys."
            : "Browsers take passkeys at localhost only. Run mem serve --link and open the link that it prints."}
        </p>
      ))}
    </section>
  );
}

/** Copying to the clipboard, and saying so. */

import { useState } from "preact/hooks";

import { say } from "../core/toast";

export async function copy(text: string, what = "Copied"): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    say(what);
  } catch {
    say(`The browser does not allow copying. Here it is: ${text}`);
  }
}

export function Copy({ text }: { text: string }) {
  const [done, setDone] = useState(false);
  return (
    <button
      type="button"
      class="text-button"
      onClick={() => {
        void copy(text).then(() => setDone(true));
      }}
    >
      {done ? "Copied" : "Copy"}
    </button>
  );
}

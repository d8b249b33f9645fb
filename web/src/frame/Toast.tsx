/** The message at the bottom left: eight seconds, longer while it is hovered or focused. */

import { useEffect, useRef, useState } from "preact/hooks";

import { useKeys } from "../core/keys";
import { useValue } from "../core/state";
import { toast, undoLast, type Toast } from "../core/toast";
import { Icon } from "../parts/Icon";

const STAYS_MS = 8000;

export function ToastView() {
  const shown = useValue(toast);
  const [looked, setLooked] = useState<Toast | null>(null); // the message itself: one that is gone tells of no leaving
  const held = looked === shown;
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!shown || held || shown.problem) return;
    const timer = setTimeout(() => toast.set(null), STAYS_MS);
    return () => clearTimeout(timer);
  }, [shown, held]);
  useKeys([{ keys: "u", does: "Undo the last change", run: () => void undoLast(), group: "Memories" }], Boolean(shown?.operation));
  return (
    <div role="status" aria-live="polite">
      {shown && (
        <div
          class="toast"
          ref={box}
          key={`${shown.text}${shown.operation}`}
          onMouseEnter={() => setLooked(shown)}
          onMouseLeave={() => setLooked(null)}
          onFocusIn={() => setLooked(shown)}
          onFocusOut={() => setLooked(null)}
        >
          <span>{shown.text}</span>
          {shown.operation && (
            <button type="button" onClick={() => void undoLast()}>
              Undo <kbd>u</kbd>
            </button>
          )}
          <button type="button" aria-label="Close this message" onClick={() => toast.set(null)}>
            <Icon name="close" />
          </button>
          {!shown.problem && <i class="time" aria-hidden="true" />}
        </div>
      )}
    </div>
  );
}

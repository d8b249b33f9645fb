/** The message at the bottom left: eight seconds, longer while it is hovered or focused. */

import { useEffect, useRef, useState } from "preact/hooks";

import { useKeys } from "../core/keys";
import { useValue } from "../core/state";
import { toast, undo, type Toast } from "../core/toast";
import { Icon } from "../parts/Icon";

const STAYS_MS = 8000;

export function ToastView() {
  const shown = useValue(toast);
  const [looked, setLooked] = useState<Toast | null>(null); // the message itself: one that is gone tells of no leaving
  const held = looked === shown;
  const box = useRef<HTMLDivElement>(null);
  const told = useRef({ shown, times: 0 }); // the same words again are a new message, read out and timed again
  if (told.current.shown !== shown) told.current = { shown, times: told.current.times + 1 };
  useEffect(() => {
    if (!shown || held || shown.problem) return;
    const timer = setTimeout(() => toast.set(null), STAYS_MS);
    return () => clearTimeout(timer);
  }, [shown, held]);
  const key = { keys: "u", does: "Undo the last change", run: () => void undo(), group: "Everywhere" };
  useKeys([key]);
  useKeys([key], Boolean(shown?.operation)); // while it is offered, also where a view has another meaning for it
  return (
    <div role="status" aria-live="polite">
      {shown && (
        <div
          class="toast"
          ref={box}
          key={told.current.times}
          onMouseEnter={() => setLooked(shown)}
          onMouseLeave={() => setLooked(null)}
          onFocusIn={() => setLooked(shown)}
          onFocusOut={() => setLooked(null)}
        >
          <span>
            {shown.text}
            {shown.link && (
              <>
                {" "}
                <a href={shown.link.to} onClick={() => toast.set(null)}>
                  {shown.link.text}
                </a>
              </>
            )}
          </span>
          {shown.operation && (
            <button type="button" onClick={() => void undo(shown.operation!)}>
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

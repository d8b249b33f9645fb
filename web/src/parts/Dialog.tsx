/** A dialog: it holds the focus while it is open, and gives it back. */

import type { ComponentChildren } from "preact";
import { useId, useLayoutEffect, useRef } from "preact/hooks";

const FOCUSABLE = "a[href], button:not(:disabled), input:not(:disabled), select:not(:disabled), textarea:not(:disabled), [tabindex='0']";

export function Dialog({
  title,
  close,
  children,
  kind = "",
  hideTitle = false,
}: {
  title: string;
  close: () => void;
  children: ComponentChildren;
  kind?: string;
  hideTitle?: boolean;
}) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  useLayoutEffect(() => { // at once: the next key may come before effects run
    const before = document.activeElement as HTMLElement | null;
    const inside = box.current;
    const first = inside?.querySelector<HTMLElement>("[data-first]") ?? inside?.querySelector<HTMLElement>(FOCUSABLE);
    (first ?? inside)?.focus({ preventScroll: true });
    return () => before?.isConnected && before.focus();
  }, []);
  const keep = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      event.preventDefault();
      close();
    }
    if (event.key !== "Tab") return;
    const all = [...(box.current?.querySelectorAll<HTMLElement>(FOCUSABLE) ?? [])].filter((each) => each.offsetParent);
    const [first, last] = [all[0], all.at(-1)];
    if (!first || !last) event.preventDefault();
    else if (event.shiftKey && document.activeElement === first) {
      event.preventDefault();
      last.focus();
    } else if (!event.shiftKey && document.activeElement === last) {
      event.preventDefault();
      first.focus();
    }
  };
  return (
    <div class="veil" onMouseDown={(event) => event.target === event.currentTarget && close()} onKeyDown={keep}>
      <div ref={box} class={`dialog ${kind}`} role="dialog" aria-modal="true" aria-labelledby={id} tabIndex={-1}>
        <h2 id={id} class={hideTitle ? "hidden-text" : undefined}>
          {title}
        </h2>
        {children}
      </div>
    </div>
  );
}

/** A button that opens a list of actions. */

import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { Icon } from "./Icon";

export interface MenuItem {
  label: string;
  run?: () => void;
  href?: string;
  keys?: string;
  /** For choices: whether it is the chosen one, or one of them. */
  checked?: boolean;
  hint?: string;
}

export interface MenuProps {
  label: string;
  items: MenuItem[];
  children?: ComponentChildren;
  kind?: string;
  /** Choosing leaves it open. */
  stays?: boolean;
  opened?: () => void;
}

export function Menu({ label, items, children, kind = "button", stays = false, opened }: MenuProps) {
  const [open, setOpen] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!open) return;
    opened?.();
    box.current?.querySelector<HTMLElement>("[role^=menuitem]")?.focus();
    const outside = (event: Event) => !box.current?.contains(event.target as Node) && setOpen(false);
    addEventListener("mousedown", outside);
    addEventListener("focusin", outside);
    return () => {
      removeEventListener("mousedown", outside);
      removeEventListener("focusin", outside);
    };
  }, [open]);
  const move = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      event.stopPropagation();
      close();
    }
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (!step || !open) return;
    event.preventDefault();
    const all = [...(box.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
    const at = all.indexOf(document.activeElement as HTMLElement);
    all[(at + step + all.length) % all.length]?.focus();
  };
  return (
    <div class="menu" ref={box} onKeyDown={move}>
      <button
        type="button"
        ref={button}
        class={children ? kind : "icon-button"}
        aria-haspopup="menu"
        aria-expanded={open}
        aria-label={children ? undefined : label}
        title={children ? undefined : label}
        onClick={() => setOpen(!open)}
      >
        {children ?? <Icon name="more" />}
      </button>
      {open && (
        <div class="menu-list" role="menu" aria-label={label}>
          {items.map((item) =>
            item.href ? (
              <a key={item.label} role="menuitem" href={item.href} target="_blank" rel="noreferrer" onClick={() => setOpen(false)}>
                {item.label}
              </a>
            ) : (
              <button
                key={item.label}
                type="button"
                role={item.checked === undefined ? "menuitem" : "menuitemcheckbox"}
                aria-checked={item.checked}
                onClick={() => {
                  if (!stays) close();
                  item.run?.();
                }}
              >
                {item.checked !== undefined && <span class="mark">{item.checked && <Icon name="check" />}</span>}
                {item.label}
                {item.hint && <span class="hint muted">{item.hint}</span>}
                {item.keys && <kbd>{item.keys}</kbd>}
              </button>
            ),
          )}
        </div>
      )}
    </div>
  );
}

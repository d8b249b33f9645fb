/** Light, dark, or as the system has it. */

import { state } from "./state";

export type Theme = "light" | "dark" | "system";
const CHOICES: readonly Theme[] = ["light", "dark", "system"];

function chosen(): Theme {
  const set = document.documentElement.dataset["theme"];
  return set === "light" || set === "dark" ? set : "system";
}

export const theme = state<Theme>(typeof document === "undefined" ? "system" : chosen());

export function chooseTheme(to: Theme): void {
  if (to === "system") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = to;
  try {
    if (to === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", to);
  } catch {
    // storage is blocked: the choice holds until the page is closed
  }
  theme.set(to);
}

export function nextTheme(): void {
  chooseTheme(CHOICES[(CHOICES.indexOf(theme.get()) + 1) % CHOICES.length] ?? "system");
}

/** Follow changes of the theme, the system's too: for what is drawn on a canvas. */
export function onTheme(watcher: () => void): () => void {
  const system = matchMedia("(prefers-color-scheme: dark)");
  system.addEventListener("change", watcher);
  const unwatch = theme.watch(watcher);
  return () => {
    system.removeEventListener("change", watcher);
    unwatch();
  };
}

let probe: HTMLElement | null = null;

/** Return a colour token as the browser computes it now, such as `colour("worked")`. */
export function colour(token: string): string {
  if (!probe) {
    probe = document.createElement("i");
    probe.hidden = true;
    probe.style.setProperty("forced-color-adjust", "none"); // the map is drawn in its own colours always
    document.body.append(probe);
  }
  probe.style.color = `var(--${token})`;
  return getComputedStyle(probe).color;
}

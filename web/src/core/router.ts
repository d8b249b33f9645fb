/** Addresses: all state of the page is in the address, by the history API. */

import { state, useValue } from "./state";

export interface Route {
  path: string;
  /** The parts of the path: `/memories/mem_1` has `["memories", "mem_1"]`. */
  parts: string[];
  query: URLSearchParams;
  hash: string;
}

export function parse(address: string): Route {
  const url = new URL(`http://page${address}`); // two slashes at its beginning name no host
  const path = `/${url.pathname.replace(/^\/+|\/+$/g, "")}`;
  return { path, parts: path.split("/").filter(Boolean).map(decoded), query: url.searchParams, hash: url.hash.slice(1) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** Write an address; values that are empty are left out, the chosen project stays. */
export function address(
  path: string,
  query: Record<string, string | number | null | undefined> = {},
  project: string | null = route.get().query.get("p"),
): string {
  const search = new URLSearchParams();
  const all = { p: project, ...query };
  for (const [name, value] of Object.entries(all)) if (value !== null && value !== undefined && value !== "") search.set(name, String(value));
  const text = search.toString().replaceAll("%3A", ":").replaceAll("%2C", ",");
  return text ? `${path}?${text}` : path;
}

const here = () => location.pathname + location.search + location.hash;
const inBrowser = typeof location !== "undefined";

export const route = state<Route>(parse(inBrowser ? here() : "/"));

/** Go to an address; `replace` leaves no step to go back to. */
export function go(to: string, { replace = false, keepScroll = false } = {}): void {
  if (to !== here()) history[replace ? "replaceState" : "pushState"](null, "", to);
  const before = route.get().path;
  route.set(parse(to));
  if (!keepScroll && before !== route.get().path) scrollTo(0, 0);
}

/** Change some values of the query of this address. */
export function setQuery(values: Record<string, string | number | null | undefined>, replace = true): void {
  const now = route.get();
  go(address(now.path, { ...Object.fromEntries(now.query), ...values }) + (now.hash ? `#${now.hash}` : ""), {
    replace,
    keepScroll: true,
  });
}

export function useRoute(): Route {
  return useValue(route);
}

/** Follow links within the page without loading it again. */
export function followLinks(): void {
  addEventListener("popstate", () => route.set(parse(here())));
  document.addEventListener("click", (event) => {
    if (event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link?.href || link.target || link.hasAttribute("download")) return;
    const url = new URL(link.href);
    if (url.origin !== location.origin || url.pathname.startsWith("/api/")) return;
    if (link.getAttribute("href")!.startsWith("#")) return; // the browser moves the focus there
    event.preventDefault();
    go(url.pathname + url.search + url.hash);
  });
}

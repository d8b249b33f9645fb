import { expect, test } from "vitest";

import { merged } from "../src/core/useList";

const READ = Date.parse("2026-03-02T12:00:00Z");
const row = (id: string, text: string, created_at = "2026-03-02T13:00:00Z") => ({ id, text, created_at });

test("rows change in their places, new ones wait, and none leaves by itself", () => {
  const shown = { items: [row("a", "old"), row("b", "b")], total: 2, next: null };
  const now = { items: [row("c", "new"), row("a", "changed")], total: 2, next: null };
  expect(merged(shown, now, READ)).toEqual({
    shown: { items: [row("a", "changed"), row("b", "b")], total: 2, next: null },
    fresh: 1,
    came: 0,
  });
});

test("what moves up from the next page is not new, and stays on it", () => {
  const shown = { items: [row("a", "a"), row("b", "b"), row("c", "c")], next: "after c" };
  const now = { items: [row("a", "a"), row("c", "c"), row("d", "d")], next: "after d" };
  expect(merged(shown, now, READ)).toEqual({ shown, fresh: 0, came: 0 });
  const came = { items: [row("x", "x"), row("y", "y"), row("z", "z")], next: "after z" };
  expect(merged(shown, came, READ).fresh).toBe(3);
});

test("at the end of the list, what comes last is new", () => {
  const shown = { items: [row("a", "a")], next: null };
  const now = { items: [row("a", "a"), row("b", "b")], next: null };
  expect(merged(shown, now, READ)).toEqual({ shown, fresh: 1, came: 0 });
});

test("what was restored is not new, however young it is", () => {
  const shown = { items: [row("a", "a", "2026-03-01T12:00:00Z")], next: null };
  const now = { items: [row("b", "restored", "2026-03-02T11:59:00Z"), ...shown.items], next: null };
  expect(merged(shown, now, READ)).toEqual({ shown, fresh: 0, came: 1 });
});

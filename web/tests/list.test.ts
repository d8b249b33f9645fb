import { expect, test } from "vitest";

import { merged } from "../src/core/useList";

const row = (id: string, text: string) => ({ id, text });

test("rows change in their places, new ones wait, and none leaves by itself", () => {
  const shown = { items: [row("a", "old"), row("b", "b")], total: 2 };
  const now = { items: [row("c", "new"), row("a", "changed")], total: 2 };
  expect(merged(shown, now)).toEqual({
    shown: { items: [row("a", "changed"), row("b", "b")], total: 2 },
    fresh: 1,
  });
});

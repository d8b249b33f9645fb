import { expect, test } from "vitest";

import { match, nameOf, type Binding } from "../src/core/keys";

const run = () => undefined;
const BINDINGS: Binding[] = [
  { keys: "j", does: "down", run },
  { keys: "g m", does: "memories", run },
  { keys: "Ctrl K", does: "palette", run },
];
const pressed = (key: string, more: Partial<KeyboardEvent> = {}) =>
  nameOf({ key, ctrlKey: false, metaKey: false, altKey: false, ...more });

test("a key is named as bindings write it, on every system", () => {
  expect(pressed("k", { ctrlKey: true })).toBe("Ctrl K");
  expect(pressed("k", { metaKey: true })).toBe("Ctrl K");
  expect(pressed(" ")).toBe("Space");
  expect(pressed("?")).toBe("?");
});

test("a sequence begins, goes on, and an unbound key means nothing", () => {
  expect(match(BINDINGS, "", "g")).toBe("begins");
  expect(match(BINDINGS, "g", "m")).toMatchObject({ does: "memories" });
  expect(match(BINDINGS, "g", "x")).toBeNull();
  expect(match(BINDINGS, "", "j")).toMatchObject({ does: "down" });
  expect(match(BINDINGS, "", "Ctrl K")).toMatchObject({ does: "palette" });
});

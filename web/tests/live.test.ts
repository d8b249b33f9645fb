import { expect, test } from "vitest";

import { joined } from "../src/core/live";

test("changes that came close together become one", () => {
  const one = { memories: ["a", "b"], actions: { add: 2 }, more: false };
  const other = { memories: ["b", "c"], actions: { add: 1, archive: 1 }, more: true };
  expect(joined(one, other)).toEqual({ memories: ["a", "b", "c"], actions: { add: 3, archive: 1 }, more: true });
  expect(joined(null, one)).toEqual(one);
});

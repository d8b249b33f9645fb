import { expect, test } from "vitest";

import { age, bytes, signed } from "../src/model/time";

const NOW = Date.parse("2026-05-20T12:00:00Z");

test.each([
  ["2026-05-20T11:59:30Z", "now"],
  ["2026-05-20T11:48:00Z", "12 min"],
  ["2026-05-20T09:00:00Z", "3 h"],
  ["2026-05-18T12:00:00Z", "2 d"],
  ["2026-04-29T12:00:00Z", "3 w"],
  ["2026-01-02T12:00:00Z", "19 w"],
  ["2025-10-02T12:00:00Z", "Oct 2025"],
  ["2026-05-20T12:10:00Z", "now"],
  ["no time", ""],
])("the age of %s is %s", (at, words) => {
  expect(age(at, NOW)).toBe(words);
});

test("scores have a sign, and a real minus", () => {
  expect([0.784, -0.38, 0, 0.001].map(signed)).toEqual(["+0.78", "−0.38", "0.00", "0.00"]);
});

test("sizes are in the unit that keeps them short", () => {
  expect([999, 12_400_000, 1_250_000].map(bytes)).toEqual(["999 B", "12 MB", "1.3 MB"]);
});

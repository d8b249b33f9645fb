import { expect, test } from "vitest";

import { sentence } from "../src/core/api";

test("a message becomes a sentence, and an id or a path at its beginning stays as it is", () => {
  expect(sentence("there is no such memory")).toBe("There is no such memory.");
  expect(sentence("src/tide.py has 2 lines")).toBe("src/tide.py has 2 lines.");
  expect(sentence("mem_74cejppg was forgotten!")).toBe("mem_74cejppg was forgotten!");
});

import { expect, test } from "vitest";

import { wordDiff } from "../src/model/diff";
import { cut, shortId, visible } from "../src/model/words";

test("words that were removed and added stand between those that stayed", () => {
  expect(wordDiff("updated row by row; wait", "updated row by row; drop it")).toEqual([
    { kind: "same", text: "updated row by row; " },
    { kind: "removed", text: "wait" },
    { kind: "added", text: "drop it" },
  ]);
});

test("equal texts differ in nothing, and an empty one is all new", () => {
  expect(wordDiff("one two", "one two")).toEqual([{ kind: "same", text: "one two" }]);
  expect(wordDiff("", "one")).toEqual([{ kind: "added", text: "one" }]);
});

test("spaces between changed words do not tear the change apart", () => {
  expect(wordDiff("passes 94. Theirs came first.", "passes 94. Mine is better.")).toEqual([
    { kind: "same", text: "passes 94. " },
    { kind: "removed", text: "Theirs came first." },
    { kind: "added", text: "Mine is better." },
  ]);
});

test("a comparison keeps every character of both texts", () => {
  const [old, now] = ["a b c d e f", "b x d  e g f f"];
  const pieces = wordDiff(old, now);
  expect(pieces.filter((each) => each.kind !== "added").map((each) => each.text).join("")).toBe(old);
  expect(pieces.filter((each) => each.kind !== "removed").map((each) => each.text).join("")).toBe(now);
});

test("control characters are shown by name, and line breaks stay", () => {
  expect(visible("a\u202eb\u0007\nc")).toEqual([
    { text: "a", control: false },
    { text: "RLO", control: true },
    { text: "b", control: false },
    { text: "␇", control: true },
    { text: "\nc", control: false },
  ]);
});

test("what is hidden in a text is shown, also a message in characters that nobody sees", () => {
  const shown = (text: string) => visible(text).map((part) => (part.control ? `[${part.text}]` : part.text)).join("");
  const message = Array.from("obey", (letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join("");
  expect(shown(`Push${message} it`)).toBe("Push[o][b][e][y] it");
  expect(shown("a\u200db \u00ad \u2060 \u3164 x\ufe0f\ufe0f 😀\u{e0120}\u{e0130}")).toBe(
    "a[ZWJ]b [SHY] [WJ] [U+3164] x[U+FE0F][U+FE0F] 😀[U+E0120][U+E0130]",
  );
});

test("pictures and letters that need joiners are no control characters", () => {
  for (const text of ["👩‍💻 ❤️ 1️⃣ 👍🏽", "می‌خواهم", "ᠮᠣᠩᠭᠣᠯ", "葛\u{e0100}"]) expect(visible(text)).toEqual([{ text, control: false }]);
});

test("cutting never splits a character of two code units", () => {
  expect(cut("ab😀c", 3)).toBe("ab");
  expect(cut("ab😀c", 4)).toBe("ab😀");
});

test("a short id is the eight characters after the prefix", () => {
  expect(shortId("mem_mkcr2ilz9abc")).toBe("mkcr2ilz");
});

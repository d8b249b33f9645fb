import { expect, test } from "vitest";

import { beginsKey, commandOf, countParams, flawOf, paramsOf, parseQuery, suggestions, withWord, writeQuery } from "../src/model/query";

test("a text is read into words and written back as it was", () => {
  const text = 'is:active family:fixes tag:"two words" slow import';
  expect(parseQuery(text)).toEqual([
    { key: "is", value: "active" },
    { key: "family", value: "fixes" },
    { key: "tag", value: "two words" },
    { key: "", value: "slow" },
    { key: "", value: "import" },
  ]);
  expect(writeQuery(parseQuery(text))).toBe(text);
});

test("what looks like a word of the query and is none is free text", () => {
  expect(parseQuery("http://example.org todo:x")).toEqual([
    { key: "", value: "http://example.org" },
    { key: "", value: "todo:x" },
  ]);
});

test("words become the parameters of the list", () => {
  expect(paramsOf(parseQuery("is:archived family:hazards by:ada reports:no confidence:<0.5 age:<7d feed"))).toEqual({
    q: "feed",
    has_outcome: false,
    below_confidence: "0.5",
    created_after: "7d",
    category: ["gotcha", "pitfall", "warning"],
    writer: ["ada"],
    status: ["archived"],
  });
  expect(paramsOf(parseQuery("is:any age:>30d"))).toEqual({
    created_before: "30d",
    status: ["active", "staged", "archived"],
  });
  expect(paramsOf(parseQuery("family:ops tag:x"), ["family"])).toEqual({ tags: ["x"] });
  expect(paramsOf(parseQuery("is:expired"))).toEqual({ expired: true, expired_since: "2000-01-01", status: ["active", "archived"] });
});

test("what is counted leaves out the words that another value would replace", () => {
  const words = parseQuery("is:archived category:gotcha source:human tag:x");
  const all = { category: ["gotcha"], source: ["human"], tags: ["x"], status: ["archived"] };
  expect(countParams(words, "tag")).toEqual(all);
  expect(countParams(words, "source")).toEqual({ ...all, source: undefined });
  expect(countParams(words, "family")).toEqual({ ...all, category: undefined });
  expect(countParams(words, "is")).toEqual({ ...all, status: ["active", "staged", "archived"] });
});

test("a word with a flaw says so and asks for nothing", () => {
  const [word] = parseQuery("age:soon");
  expect(flawOf(word!)).toContain("<7d");
  expect(paramsOf([word!])).toEqual({});
  expect(flawOf({ key: "is", value: "gone" })).toContain("active");
  expect(flawOf({ key: "tag", value: "anything" })).toBeNull();
  expect(["0.5", ">1", "<.25", "1.0"].map((value) => flawOf({ key: "confidence", value }))).toEqual([null, null, null, null]);
  for (const value of [">1.5", "2", "."]) expect(flawOf({ key: "confidence", value })).toContain("up to 1");
  for (const value of ["5min", ">9999999d"]) expect(flawOf({ key: "age", value })).toContain("<7d");
});

test("a word takes the place of another one with its key", () => {
  const words = parseQuery("is:active family:fixes slow");
  expect(writeQuery(withWord(words, "family", "ops"))).toBe("is:active family:ops slow");
  expect(writeQuery(withWord(words, "family", ""))).toBe("is:active slow");
  expect(writeQuery(withWord(parseQuery("slow"), "family", "ops"))).toBe("family:ops slow");
});

test("the beginning of a key is no free text yet", () => {
  expect(["fam", "slow ta", "is"].map(beginsKey)).toEqual([true, true, true]);
  expect(["", "slow ", "timetable", "fam "].map(beginsKey)).toEqual([false, false, false, false]);
});

test("suggestions go on from what is typed, the most frequent value first", () => {
  expect(suggestions("ca").map((each) => each.text)).toEqual(["category:"]);
  expect(suggestions("slow tag:p", { tag: { "price list": 2, postgres: 9, books: 4 } })).toEqual([
    { text: "tag:postgres", count: 9 },
    { text: 'tag:"price list"', count: 2 },
  ]);
  expect(suggestions("reports:", { reports: { true: 3, false: 1 } })).toEqual([
    { text: "reports:yes", count: 3 },
    { text: "reports:no", count: 1 },
  ]);
  expect(suggestions("family:f", { family: { ops: 3, fixes: 1 } })).toEqual([{ text: "family:fixes", count: 1 }]);
  expect(suggestions("family:f", { family: {} })).toEqual([{ text: "family:fixes", count: 0 }]);
  expect(suggestions("nothing:")).toEqual([]);
  expect(suggestions("is:", { status: { active: 5, archived: 2 } }).map(({ text, count }) => [text.slice(3), count])).toEqual([
    ["active", 5], ["staged", 0], ["archived", 2], ["any", 7], ["expired", undefined], ["proposed", undefined], ["drifted", undefined],
  ]);
});

test("a list is copied as the command that shows it", () => {
  expect(commandOf(parseQuery('is:archived family:hazards tag:"a b" age:<7d slow "it\'s up"'), "score")).toBe(
    "mem list --status archived --category hazards --tag 'a b' --after 7d --text 'slow \"it'\\''s up\"' --sort score --ascending",
  );
  expect(commandOf([])).toBe("mem list");
  expect(commandOf(parseQuery("is:ANY reports:YES"))).toBe("mem list --status active --status staged --status archived --has-outcome");
  expect(commandOf(parseQuery("is:expired"))).toBe("mem list --status active --status archived --expired --expired-since 2000-01-01");
  expect(commandOf([], "-score")).toBe("mem list --sort score");
});

test("nothing of an address becomes a command of its own in what is copied", () => {
  expect(commandOf(parseQuery('id:"$(reboot)" by:`x` a\u0003\nreboot'), "-x;reboot")).toBe(
    "mem list --id '$(reboot)' --writer '`x`' --text 'a  reboot' --sort 'x;reboot'",
  );
});

test("a word that every object has is no key", () => {
  expect(parseQuery("constructor:x")).toEqual([{ key: "", value: "constructor:x" }]);
  expect(suggestions("constructor:")).toEqual([]);
});

test("names memories by their short ids", () => {
  const words = parseQuery("id:mkcr2ilz,a7qw3k5d");
  expect(paramsOf(words)).toEqual({ id: ["mkcr2ilz", "a7qw3k5d"] });
});

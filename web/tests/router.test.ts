import { expect, test } from "vitest";

import { address, parse } from "../src/core/router";

test("an address is taken apart, with what is encoded in it", () => {
  const route = parse("/tasks/beads/bd%2F1.2?p=abc#given");
  expect(route.parts).toEqual(["tasks", "beads", "bd/1.2"]);
  expect(route.query.get("p")).toBe("abc");
  expect(route.hash).toBe("given");
  expect(parse("/memories/").path).toBe("/memories");
  expect(["/", "///", "//evil.example/", "//[?q=x"].map((each) => parse(each).path)).toEqual(["/", "/", "/evil.example", "/["]);
  expect(parse("/a/%E0%A4%A").parts).toEqual(["a", "%E0%A4%A"]);
});

test("empty values are left out of an address, and a query stays readable", () => {
  expect(address("/memories", { q: "is:active family:fixes", open: null, sort: "" }, null)).toBe(
    "/memories?q=is:active+family:fixes",
  );
  expect(address("/", {}, "abc")).toBe("/?p=abc");
  expect(address("/")).toBe("/");
});

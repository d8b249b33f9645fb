/** The query text of the list: `is:active family:fixes tag:"a b" words`, and the parameters it stands for. */

import type { Params } from "../core/api";
import { FAMILIES } from "./families";
import { quoted } from "./words";

export interface Word {
  /** The text before the colon; empty for free text. */
  key: string;
  value: string;
}

/** What can be asked for, with what it means and the values there are. */
export const KEYS: Record<string, { about: string; values?: readonly string[]; facet?: string }> = {
  is: {
    about: "its state",
    values: ["active", "staged", "archived", "any", "expired", "proposed", "drifted"],
    facet: "status",
  },
  family: { about: "a family of categories", values: FAMILIES.map((each) => each.name), facet: "family" },
  category: { about: "a category", values: FAMILIES.flatMap((each) => each.categories), facet: "category" },
  source: {
    about: "where it comes from",
    values: ["human", "agent", "import", "capture", "run", "learning"],
    facet: "source",
  },
  by: { about: "who wrote it", facet: "writer" },
  tag: { about: "a tag", facet: "tag" },
  path: { about: "a file it applies to" },
  id: { about: "these memories, by their short ids with commas between" },
  reports: { about: "whether it helped was reported", values: ["yes", "no"], facet: "reports" },
  confidence: { about: "at least, or less than: >0.5 or <0.5" },
  age: { about: "younger or older than: <7d or >30d" },
};

const WORD = /(?:([a-z]+):)?("[^"]*"?|\S+)/giu;

export function parseQuery(text: string): Word[] {
  const words: Word[] = [];
  for (const found of text.matchAll(WORD)) {
    const key = found[1]?.toLowerCase() ?? "";
    if (Object.hasOwn(KEYS, key)) words.push({ key, value: unquoted(found[2] ?? "") });
    else words.push({ key: "", value: found[0] });
  }
  return words;
}

function unquoted(text: string): string {
  return text.startsWith('"') ? text.replace(/^"|"$/gu, "") : text;
}

export function writeWord({ key, value }: Word): string {
  const shown = key && /[\s"]/u.test(value) ? `"${value.replaceAll('"', "")}"` : value;
  return key ? `${key}:${shown}` : shown;
}

export function writeQuery(words: readonly Word[]): string {
  return words.map(writeWord).join(" ");
}

/** Put a word in the place of others with its key; an empty value takes them out. */
export function withWord(words: readonly Word[], key: string, value: string): Word[] {
  const others = words.filter((each) => each.key !== key);
  if (!value) return others;
  const at = words.findIndex((each) => each.key === key);
  return at < 0 ? [{ key, value }, ...others].sort(filtersFirst) : words.flatMap((each, index) => (index === at ? [{ key, value }] : each.key === key ? [] : [each]));
}

function filtersFirst(one: Word, other: Word): number {
  return Number(one.key === "") - Number(other.key === "");
}

const SPAN = /^([<>])?(\d{1,6})(h|d|w|y)$/u;
const COMPARED = /^([<>])?(0?\.\d+|[01](?:\.0*)?)$/u;
/** What expired is asked for since a day before any store. */
const EVER = "2000-01-01";

/** Say what is wrong with a word; null if nothing is. */
export function flawOf({ key, value }: Word): string | null {
  if (key === "age" && !SPAN.test(value)) return "age takes a span such as <7d or >30d";
  if (key === "confidence" && !COMPARED.test(value)) return "confidence takes a number up to 1, such as >0.5";
  const values = KEYS[key]?.values;
  if (values && !values.includes(value.toLowerCase())) return `${key} takes one of ${values.slice(0, 8).join(", ")}${values.length > 8 ? ", …" : ""}`;
  return null;
}

/** The parameters of `GET /api/memories` and `GET /api/facets`; words with a flaw are left out. */
export function paramsOf(words: readonly Word[], without: readonly string[] = []): Params {
  const lists: Record<string, string[]> = { category: [], source: [], writer: [], tags: [], path: [], status: [], id: [] };
  const params: Record<string, string | boolean> = {};
  const text: string[] = [];
  for (const word of words) {
    if (without.includes(word.key)) continue;
    if (!word.key) text.push(word.value);
    else if (!flawOf(word)) take(word, lists, params);
  }
  return {
    ...(text.length ? { q: text.join(" ") } : {}),
    ...params,
    ...Object.fromEntries(Object.entries(lists).filter(([, values]) => values.length)),
  };
}

const FAMILY_KEYS = ["family", "category"];

/** The parameters of `GET /api/facets` that count the other values of a key as well; only tags add up. */
export function countParams(words: readonly Word[], key: string): Params {
  if (key === "is") return paramsOf([...words.filter((each) => each.key !== key), { key, value: "any" }]);
  return paramsOf(words, FAMILY_KEYS.includes(key) ? FAMILY_KEYS : key === "tag" ? [] : [key]);
}

function take({ key, value }: Word, lists: Record<string, string[]>, params: Record<string, string | boolean>): void {
  const plain = value.toLowerCase();
  if (key === "is") takeState(plain, lists, params);
  else if (key === "family") lists["category"]!.push(...(FAMILIES.find((each) => each.name === plain)?.categories ?? []));
  else if (key === "by") lists["writer"]!.push(value);
  else if (key === "tag") lists["tags"]!.push(value);
  else if (key === "id") lists["id"]!.push(...value.split(",").filter(Boolean));
  else if (key === "reports") params["has_outcome"] = plain === "yes";
  else if (key === "confidence") {
    const [, sign, number] = COMPARED.exec(value)!;
    params[sign === "<" ? "below_confidence" : "min_confidence"] = number!;
  } else if (key === "age") {
    const [, sign, amount, unit] = SPAN.exec(value)!;
    params[sign === ">" ? "created_before" : "created_after"] = `${amount}${unit}`;
  } else lists[key]!.push(key === "category" || key === "source" ? plain : value);
}

function takeState(state: string, lists: Record<string, string[]>, params: Record<string, string | boolean>): void {
  if (state === "any") lists["status"]!.push("active", "staged", "archived");
  else if (state === "expired") {
    lists["status"]!.push("active", "archived");
    Object.assign(params, { expired: true, expired_since: EVER });
  } else if (state === "proposed" || state === "drifted") params[state] = true;
  else lists["status"]!.push(state);
}

const OPTIONS: Record<string, string> = {
  category: "--category",
  family: "--category",
  tag: "--tag",
  source: "--source",
  path: "--path",
  by: "--writer",
};

/** The list as a command; `sort` is `score`, or `-score` for the highest first. */
export function commandOf(words: readonly Word[], sort = "-created"): string {
  const options = words.filter((word) => word.key && !flawOf(word)).map(optionOf);
  const text = words.filter((word) => !word.key).map((word) => word.value);
  const by = sort.replace("-", "");
  return [
    "mem list",
    ...options,
    text.length && `--text ${quoted(text.join(" "))}`,
    by !== "created" && `--sort ${quoted(by)}`,
    !sort.startsWith("-") && "--ascending",
  ].filter(Boolean).join(" ");
}

function optionOf({ key, value: typed }: Word): string {
  const option = OPTIONS[key];
  if (option) return `${option} ${quoted(typed)}`;
  const value = typed.toLowerCase();
  if (key === "reports") return value === "yes" ? "--has-outcome" : "--no-outcome";
  if (key === "confidence") return `${value.startsWith("<") ? "--below-confidence" : "--min-confidence"} ${value.replace(/^[<>]/u, "")}`;
  if (key === "age") return `${value.startsWith(">") ? "--before" : "--after"} ${value.replace(/^[<>]/u, "")}`;
  if (key === "id") return value.split(",").filter(Boolean).map((each) => `--id ${quoted(each)}`).join(" ");
  if (value === "any") return "--status active --status staged --status archived";
  if (value === "expired") return `--status active --status archived --expired --expired-since ${EVER}`;
  return ["proposed", "drifted"].includes(value) ? `--${value}` : `--status ${value}`;
}

/** Is the word that is being typed the beginning of a key? It is no free text yet. */
export function beginsKey(typed: string): boolean {
  const word = typed.slice(typed.lastIndexOf(" ") + 1).toLowerCase();
  return word !== "" && Object.keys(KEYS).some((key) => key.startsWith(word));
}

export interface Suggestion {
  text: string;
  about?: string;
  count?: number;
}

/** The key of the word that is being typed; empty before its colon. */
export function typedKey(typed: string): string {
  const word = typed.slice(typed.lastIndexOf(" ") + 1);
  return word.slice(0, Math.max(0, word.indexOf(":"))).toLowerCase();
}

/** Suggest how the word that is being typed may go on. */
export function suggestions(
  typed: string,
  facets: Record<string, Record<string, number>> = {},
  most = 10,
): Suggestion[] {
  const word = typed.slice(typed.lastIndexOf(" ") + 1);
  const colon = word.indexOf(":");
  if (colon < 0)
    return Object.entries(KEYS)
      .filter(([key]) => key.startsWith(word.toLowerCase()))
      .map(([key, { about }]) => ({ text: `${key}:`, about }));
  const key = typedKey(typed);
  const known = Object.hasOwn(KEYS, key) && KEYS[key];
  if (!known) return [];
  const counts = countsOf(key, facets);
  const begun = word.slice(colon + 1).replace(/^"/u, "").toLowerCase();
  const all = [...new Set([...(known.values ?? []), ...Object.keys(counts ?? {})])];
  const values = key === "is" || !counts ? all : sortedByCount(all, counts);
  return values
    .filter((value) => value.toLowerCase().includes(begun))
    .slice(0, most)
    .map((value) => ({ text: writeWord({ key, value }), count: counts && (counts[value] ?? (key === "is" ? undefined : 0)) }));
}

/** The counts for the values of a key; the states without a count of their own have none. */
export function countsOf(key: string, facets: Record<string, Record<string, number>> = {}): Record<string, number> | undefined {
  const counts = facets[KEYS[key]?.facet ?? ""];
  if (!counts) return undefined;
  if (key === "is") return { active: 0, staged: 0, archived: 0, ...counts, any: Object.values(counts).reduce((sum, each) => sum + each, 0) };
  return key === "reports" ? { yes: counts["true"] ?? 0, no: counts["false"] ?? 0 } : counts;
}

function sortedByCount(values: string[], counts: Record<string, number>): string[] {
  return values.sort((one, other) => (counts[other] ?? 0) - (counts[one] ?? 0));
}

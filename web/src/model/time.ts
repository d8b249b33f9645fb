/** Times as people read them. */

const STEPS: readonly [number, string][] = [
  [60, "s"],
  [60, "min"],
  [24, "h"],
  [7, "d"],
  [26, "w"],
];

/** Say how long ago a moment was: "3 h", "2 d", "11 w", after half a year the month and year. */
export function age(at: string, now: number = Date.now()): string {
  const then = Date.parse(at);
  if (Number.isNaN(then)) return "";
  let amount = Math.max(0, (now - then) / 1000);
  if (amount < 60) return "now";
  for (const [size, unit] of STEPS) {
    if (amount < size) return `${Math.floor(amount)} ${unit}`;
    amount /= size;
  }
  return new Date(then).toLocaleDateString("en", { month: "short", year: "numeric" });
}

/** Say how long ago a moment was, in words that a sentence takes. */
export function ago(at: string): string {
  const span = age(at);
  return span === "now" ? "just now" : /^\d/u.test(span) ? `${span} ago` : span;
}

/** Write a moment in full, in the reader's time zone. */
export function fullTime(at: string): string {
  const then = new Date(at);
  if (Number.isNaN(then.valueOf())) return at;
  return then.toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}

export function bytes(count: number): string {
  if (count < 1000) return `${count} B`;
  const units = ["kB", "MB", "GB", "TB"];
  let value = count / 1000;
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${units[unit]}`;
}

export function count(number: number): string {
  return number.toLocaleString("en");
}

/** Write a score from -1 to 1 with its sign: "+0.78", "−0.38". */
export function signed(score: number): string {
  const shown = Math.abs(score).toFixed(2);
  if (shown === "0.00") return "0.00";
  return `${score > 0 ? "+" : "−"}${shown}`;
}

/** Text: visible control characters, and short ids. */

const NAMES: Record<number, string> = {
  0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM", 0x061c: "ALM",
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO",
  0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
  0x2028: "LS", 0x2029: "PS",
};
const CONTROL =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

/** Split a text at its control characters; these come back as a name to show in their place. */
export function visible(text: string): { text: string; control: boolean }[] {
  const parts: { text: string; control: boolean }[] = [];
  let from = 0;
  for (const found of text.matchAll(CONTROL)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index), control: false });
    const code = found[0].codePointAt(0) ?? 0;
    const name = NAMES[code] ?? (code < 0x20 ? String.fromCodePoint(0x2400 + code) : hex(code));
    parts.push({ text: name, control: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), control: false });
  return parts;
}

function hex(code: number): string {
  return `U+${code.toString(16).toUpperCase().padStart(4, "0")}`;
}

/** Cut a text without splitting a character in two. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const last = text.charCodeAt(most - 1);
  return text.slice(0, last >= 0xd800 && last < 0xdc00 ? most - 1 : most);
}

/** The eight characters after the prefix of an id, which is what people type. */
export function shortId(id: string): string {
  return id.replace(/^[a-z]+_/, "").slice(0, 8);
}

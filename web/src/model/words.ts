/** Text: visible control characters, short ids, and words of a shell. */

const NAMES: Record<number, string> = {
  0xad: "SHY", 0x200b: "ZWSP", 0x200c: "ZWNJ", 0x200d: "ZWJ", 0x200e: "LRM", 0x200f: "RLM", 0x061c: "ALM",
  0x202a: "LRE", 0x202b: "RLE", 0x202c: "PDF", 0x202d: "LRO", 0x202e: "RLO", 0x2060: "WJ",
  0x2066: "LRI", 0x2067: "RLI", 0x2068: "FSI", 0x2069: "PDI", 0xfeff: "BOM",
  0x2028: "LS", 0x2029: "PS",
};
/** Characters that steer, reorder or hide: joiners and selectors only where no letter or picture needs them. */
const CONTROL =
  // eslint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e00ff}]|(?<![\u0600-\u1cff\ua800-\uabff\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])[\u180b-\u180d\u180f\u200c\u200d]|(?<![\p{Extended_Pictographic}\p{Lo}#*0-9])[\ufe00-\ufe0f]|(?<!\p{Ideographic})[\u{e0100}-\u{e01ef}]/gu;
/** Invisible copies of the characters of ASCII, which spell what only a program reads. */
const TAGS = 0xe0000;

/** Split a text at its control characters; these come back as a name to show in their place. */
export function visible(text: string): { text: string; control: boolean }[] {
  const parts: { text: string; control: boolean }[] = [];
  let from = 0;
  for (const found of text.matchAll(CONTROL)) {
    if (found.index > from) parts.push({ text: text.slice(from, found.index), control: false });
    const code = found[0].codePointAt(0) ?? 0;
    parts.push({ text: NAMES[code] ?? nameOf(code), control: true });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), control: false });
  return parts;
}

function nameOf(code: number): string {
  if (code < 0x20) return String.fromCodePoint(0x2400 + code);
  if (code > TAGS + 0x20 && code < TAGS + 0x7f) return String.fromCodePoint(code - TAGS);
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

const WHOLE_ID = /\bmem_[a-z0-9]{26}\b/gu;

export function wholeIds(text: string): string[] {
  return [...new Set(text.match(WHOLE_ID))];
}

export function withShortIds(text: string): string {
  return text.replace(WHOLE_ID, (id) => `mem_${shortId(id)}`);
}

/** A text as one word of a shell; control characters would be keys to a terminal that it is pasted into. */
export function quoted(text: string): string {
  const plain = text.replace(/\p{Cc}/gu, " ");
  return /^[\w./-]+$/u.test(plain) && !plain.startsWith("-") ? plain : `'${plain.replaceAll("'", "'\\''")}'`;
}

// Reads texts as JSON lines and answers each with its number of tokens by every tokenizer.
const { createInterface } = require("node:readline");
const o200k = require("gpt-tokenizer/cjs/encoding/o200k_base");
const cl100k = require("gpt-tokenizer/cjs/encoding/cl100k_base");
const { getTokenizer } = require("@anthropic-ai/tokenizer");

const claude = getTokenizer();
const plain = { disallowedSpecial: new Set() }; // "<|endoftext|>" in a text is text

createInterface({ input: process.stdin }).on("line", (line) => {
  const text = JSON.parse(line);
  const counts = {
    o200k_base: o200k.encode(text, plain).length,
    cl100k_base: cl100k.encode(text, plain).length,
    claude_legacy: claude.encode(text.normalize("NFKC"), []).length,
  };
  process.stdout.write(`${JSON.stringify(counts)}\n`);
});

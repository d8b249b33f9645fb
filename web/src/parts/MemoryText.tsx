/** Text that somebody stored: never markup, isolated, with control characters visible, folded when long. */

import { useState } from "preact/hooks";

import type { Piece } from "../model/memory";
import { cut, visible } from "../model/words";

const FOLDED = 2000;
/** The notice that stands for a text which waits for a person, with the reason first. */
export const WITHHELD = /^\[withheld: ([^;]+);.*/su;

export function Plain({ text }: { text: string }) {
  const parts = visible(text);
  return (
    <>
      {parts.map((part, index) =>
        part.control ? (
          <span key={index} class="control-character" title="control character">
            {part.text}
          </span>
        ) : (
          part.text
        ),
      )}
    </>
  );
}

/** A sentence of the program, with what stands in backticks as code. */
export function Ticked({ text }: { text: string }) {
  return <>{text.split("`").map((part, index) => (index % 2 ? <code key={index}>{part}</code> : <Plain key={index} text={part} />))}</>;
}

/** `line`: on one line, cut by the place there is; else whole, folded beyond 2,000 characters. */
export function MemoryText({ text, line = false, most = FOLDED }: { text: string; line?: boolean; most?: number }) {
  const [open, setOpen] = useState(false);
  const folded = !open && text.length > most;
  const shown = folded ? cut(text, line ? 300 : most) : line ? cut(text, 300) : text;
  if (line)
    return (
      <span class="memory-text" dir="auto">
        <Plain text={shown.replace(/\s+/gu, " ").replace(WITHHELD, "withheld: $1")} />
      </span>
    );
  return (
    <>
      <span class="memory-text" dir="auto">
        <Plain text={shown} />
        {folded && "…"}
      </span>
      {(folded || (open && text.length > most)) && (
        <>
          {" "}
          <button type="button" class="text-button" onClick={() => setOpen(!open)}>
            {folded ? `Show all ${text.length.toLocaleString("en")} characters` : "Fold"}
          </button>
        </>
      )}
    </>
  );
}

/** A text with the words that a change removed and added. */
export function Diff({ pieces }: { pieces: Piece[] }) {
  return (
    <span class="memory-text" dir="auto">
      {pieces.map((piece, index) => {
        const text = <Plain text={piece.kind === "same" ? shortened(piece.text, index === 0, index === pieces.length - 1) : piece.text} />;
        if (piece.kind === "removed") return <del key={index}>{text}</del>;
        return piece.kind === "added" ? <ins key={index}>{text}</ins> : <span key={index}>{text}</span>;
      })}
    </span>
  );
}

const AROUND = 60;

/** Leave out what is far from a change. */
function shortened(text: string, first: boolean, last: boolean): string {
  if (first && last) return text;
  if (first) return text.length > AROUND ? `…${text.slice(-AROUND)}` : text;
  if (last) return text.length > AROUND ? `${cut(text, AROUND)}…` : text;
  return text.length > 2 * AROUND ? `${cut(text, AROUND)} … ${text.slice(-AROUND)}` : text;
}

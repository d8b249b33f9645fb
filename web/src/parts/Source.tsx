/** The lines of code a memory rests on, whether they are still the same, and accepting them as they are now. */

import { write } from "../core/api";
import { act } from "../core/toast";
import type { Citation, Memory } from "../model/memory";
import { pathOf } from "./Detail";
import { Plain } from "./MemoryText";
import { Section } from "./Section";

const WORDS: Record<string, string> = {
  fresh: "unchanged",
  moved: "moved",
  changed: "changed since",
  missing: "no longer there",
  unchecked: "not checked",
};

/** Write a citation as `mem add --cite` takes it. */
export function whereOf(citation: Citation, now = false): string {
  if (citation.url) return citation.url;
  const { path, first_line, last_line } = now && citation.now ? citation.now : citation;
  const lines = [first_line, last_line === first_line ? null : last_line].filter((line) => line !== null).join("-");
  return lines ? `${path}:${lines}` : (path ?? "");
}

export function Source({ memory, done }: { memory: Memory; done: () => void }) {
  const { citations } = memory;
  if (!citations.length) return null;
  const drifted = citations.some((each) => each.state === "changed" || each.state === "moved");
  const accept = async () => {
    const cite = citations.map((each) => whereOf(each, true));
    if (await act(() => write("PATCH", pathOf(memory.id), { cite }, { ifMatch: memory.version }), "Accepted as it is now")) done();
  };
  return (
    <Section id="source" title="Source" note={citations.length === 1 ? state(citations[0]!) : `${citations.length} places`}>
      {citations.map((each, index) => (
        <div key={index} class="citation">
          <p>
            {each.url ? (
              <a href={/^https?:/u.test(each.url) ? each.url : undefined} target="_blank" rel="noreferrer noopener">
                <Plain text={each.url} />
              </a>
            ) : (
              <code>
                <Plain text={whereOf(each)} />
              </code>
            )}{" "}
            {each.now && <span class="small secondary">now at <code><Plain text={whereOf(each, true)} /></code> </span>}
            {citations.length > 1 && <span class="small muted">{state(each)}</span>}
          </p>
          {each.excerpt && (
            <pre tabIndex={0} aria-label="Cited lines">
              {each.excerpt.split("\n").slice(0, 30).map((line, row) => (
                <div key={row}>
                  <span class="line-number">{(each.first_line ?? 1) + row}</span>
                  <Plain text={line} />
                </div>
              ))}
            </pre>
          )}
        </div>
      ))}
      {drifted && (
        <button type="button" class="button" onClick={() => void accept()}>
          Accept as it is now
        </button>
      )}
    </Section>
  );
}

function state(citation: Citation): string {
  return WORDS[citation.state ?? "unchecked"] ?? citation.state ?? "";
}

/** The links of a memory to others, in words, each with the other's text. */

import { write } from "../core/api";
import { address } from "../core/router";
import { act } from "../core/toast";
import { useRead } from "../core/useRead";
import type { Details, Link, MemoryPage } from "../model/memory";
import { familyOf } from "../model/families";
import { count } from "../model/time";
import { shortId } from "../model/words";
import { Shape } from "./Category";
import { pathOf } from "./Detail";
import { Icon } from "./Icon";
import { MemoryText } from "./MemoryText";
import { Section } from "./Section";

const MOST = 30;
const WORDS: Record<Link["kind"], [from: string, to: string]> = {
  supersedes: ["replaces", "replaced by"],
  conflicts_with: ["contradicts", "contradicts"],
  relates_to: ["belongs with", "belongs with"],
};

export function Links({ details, done }: { details: Details; done: () => void }) {
  const { memory } = details;
  const links = details.links.slice(0, MOST);
  const others = [...new Set(links.map((each) => (each.source === memory.id ? each.target : each.source)))];
  const texts = useRead<MemoryPage>(
    "/api/memories",
    { id: others, all: true, status: ["active", "staged", "archived"], expired: true, superseded: true, limit: MOST },
    { idle: !others.length, live: false },
  );
  if (!links.length) return null;
  const remove = async (link: Link, other: string) => {
    const path = `${pathOf(link.source)}/links/${link.kind}/${encodeURIComponent(link.target)}`;
    if (await act(() => write("DELETE", path), `No longer linked with ${shortId(other)}`)) done();
  };
  return (
    <Section id="links" title="Links" note={count(details.links.length)}>
      <ul>
        {links.map((link) => {
          const out = link.source === memory.id;
          const other = out ? link.target : link.source;
          const found = texts.data?.items.find((each) => each.id === other);
          return (
            <li key={`${link.kind}${other}`} class="link-row">
              <span class="small muted">{WORDS[link.kind]?.[out ? 0 : 1] ?? link.kind}</span>
              <a href={address(`/memories/${other}`)} class="ellipsis one-line">
                {found ? (
                  <>
                    <Shape family={familyOf(found.category)} /> <MemoryText text={found.content} line />
                  </>
                ) : (
                  <code>{shortId(other)}</code>
                )}
              </a>
              <button type="button" class="icon-button" aria-label="Remove this link" title="Remove this link" onClick={() => void remove(link, other)}>
                <Icon name="close" />
              </button>
            </li>
          );
        })}
      </ul>
    </Section>
  );
}

/** Two plain lists, by meaning and by words, each hit with its place in the answer. */

import { address } from "../core/router";
import { familyOf } from "../model/families";
import { ordinal, type Found, type PlainHit } from "../model/search";
import { Shape } from "../parts/Category";
import { MemoryText } from "../parts/MemoryText";

export function SideBySide({ found }: { found: Found }) {
  const given = found.hits.length;
  return (
    <div class="side-by-side">
      <List title="By meaning" about="finds what is meant, in other words" hits={found.by_meaning} given={given} none={found.mode === "keyword" ? "Search by meaning is off." : "Nothing is close in meaning."} />
      <List title="By words" about="finds what is written: stems and exact phrases" hits={found.by_words} given={given} none={found.mode === "semantic" ? "Search by words is off." : "Nothing has these words."} />
    </div>
  );
}

function List({ title, about, hits, given, none }: { title: string; about: string; hits: PlainHit[]; given: number; none: string }) {
  return (
    <section>
      <h2 class="heading">
        {title} <span class="side-about muted">{about}</span>
      </h2>
      {hits.length ? (
        <ol>
          {hits.map((hit, place) => (
            <li key={hit.id}>
              <span class="hit-place">{place + 1}</span>
              <Shape family={familyOf(hit.category)} />
              <a class="side-text" href={address(`/memories/${hit.id}`)}>
                <MemoryText text={hit.content} line />
              </a>
              <span class="side-score">{hit.score.toFixed(2)}</span>
              <span class="side-final small muted">
                {hit.ranks.final && hit.ranks.final <= given ? `given ${ordinal(hit.ranks.final)}` : "not given"}
              </span>
            </li>
          ))}
        </ol>
      ) : (
        <p class="muted">{none}</p>
      )}
    </section>
  );
}

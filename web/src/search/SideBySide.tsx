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
        {title} <span class="about">{about}</span> {hits.length > 0 && <span class="aside">score, place</span>}
      </h2>
      {hits.length ? (
        <PlainHits hits={hits} last={({ ranks }) => (ranks.final && ranks.final <= given ? `given ${ordinal(ranks.final)}` : "not given")} />
      ) : (
        <p class="muted">{none}</p>
      )}
    </section>
  );
}

/** Hits in a row each: place, text, score, and a word about it. */
export function PlainHits<Each extends Pick<PlainHit, "id" | "category" | "content" | "score">>({ hits, last }: { hits: Each[]; last: (hit: Each) => string }) {
  return (
    <ol class="plain-hits">
      {hits.map((hit, place) => (
        <li key={hit.id}>
          <b>{place + 1}</b>
          <Shape family={familyOf(hit.category)} />
          <a class="side-text" href={address(`/memories/${hit.id}`)}>
            <MemoryText text={hit.content} line />
          </a>
          <span>{hit.score.toFixed(2)}</span>
          <span class="small muted">{last(hit)}</span>
        </li>
      ))}
    </ol>
  );
}

/** Hits with bars on one axis, what was left out, and how the order came about. */

import { useEffect, useState } from "preact/hooks";

import { write } from "../core/api";
import { useKeys } from "../core/keys";
import { address, go } from "../core/router";
import { act } from "../core/toast";
import { familyOf } from "../model/families";
import type { Result } from "../model/memory";
import { axisEnd, barOf, experienceWords, GREYS, labelOf, moveOf, type Found, type Hit, type NearMiss } from "../model/search";
import { Category, Shape } from "../parts/Category";
import { MemoryText, Plain } from "../parts/MemoryText";
import { Tally } from "../parts/Tally";
import { Order } from "./Order";

/** `question` is empty while the answer shown belongs to an earlier one. */
export function Explained({ found, question }: { found: Found; question: string }) {
  const { hits } = found;
  const [id, setId] = useState(""); // the order may change under the reader: by its place it would be another one
  useEffect(() => setId(""), [question]);
  const at = id ? hits.findIndex((hit) => hit.id === id) : 0;
  const chosen = hits[at];
  const move = (step: number) => {
    const next = Math.min(Math.max(at + step, 0), hits.length - 1);
    setId(hits[next]?.id ?? "");
    document.getElementById(`hit-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  const report = (result: Result, words: string) => {
    if (!chosen || !question) return;
    setId(chosen.id);
    void act(
      () => write("POST", "/api/outcomes", { memory_ids: [chosen.id], result, query: question }),
      `Reported for this question: ${words}`,
    );
  };
  useKeys([
    { keys: "j", does: "Next hit", group: "Search", run: () => move(1) },
    { keys: "k", does: "Previous hit", group: "Search", run: () => move(-1) },
    { keys: "Enter", does: "Open the memory", group: "Search", run: () => chosen && go(address(`/memories/${chosen.id}`)) },
    { keys: "w", does: "It worked, for this question", group: "Search", run: () => report("worked", "it worked") },
    { keys: "p", does: "It helped partly", group: "Search", run: () => report("partial", "it helped partly") },
    { keys: "f", does: "It failed", group: "Search", run: () => report("failed", "it failed") },
  ]);
  const end = axisEnd(hits);
  if (!hits.length)
    return (
      <>
        <div class="empty">
          <h2>Nothing stored answers this</h2>
          <p>An agent would be given nothing. What comes closest is below, with the reason why it was left out.</p>
        </div>
        <div class="search-below">
          <LeftOut misses={found.near_misses} />
        </div>
      </>
    );
  return (
    <>
      <div class="bars" style={{ "--axis": String(end) }}>
        <Legend hits={hits} />
        <ol aria-label="Hits">
          {hits.map((hit, place) => (
            <Row key={hit.id} hit={hit} place={place} open={hit === chosen} choose={() => setId(hit.id)} />
          ))}
        </ol>
      </div>
      <div class="search-below">
        <LeftOut misses={found.near_misses} />
        <Order hits={hits} />
      </div>
    </>
  );
}

function Legend({ hits }: { hits: Hit[] }) {
  const present = new Set(hits.flatMap((hit) => barOf(hit).parts.map((part) => part.name)));
  const names = [...GREYS.filter((name) => present.has(name)), ...[...present].filter((name) => !GREYS.includes(name))];
  return (
    <div class="bar-legend small">
      <span class="bar-names">
        {names.map((name) => (
          <span key={name}>
            <i class={`part ${name}`} />
            {labelOf(name)}
          </span>
        ))}
        <span title="Reports add to the relevance, or take from it.">
          <i class="part gained" />
          <i class="part lost" />
          reports
        </span>
      </span>
      <span class="bar-axis muted">
        <span>0</span>
        <span class="bar-best">1.00 best match</span>
      </span>
      <span class="bar-axis muted right">relevance</span>
    </div>
  );
}

function Row({ hit, place, open, choose }: { hit: Hit; place: number; open: boolean; choose: () => void }) {
  const bar = barOf(hit);
  const moved = moveOf(hit.ranks);
  const said = experienceWords(hit);
  const delta = bar.experience;
  return (
    <li id={`hit-${place}`} class={open ? "hit open" : "hit"} aria-current={open} onClick={choose}>
      <span class="hit-place">{place + 1}</span>
      <div class="hit-text">
        <a href={address(`/memories/${hit.id}`)}>
          <MemoryText text={hit.content} most={open ? 2000 : 240} />
        </a>
        <div class="hit-facts small">
          <Category name={hit.category} />
          {hit.worked + hit.partial + hit.failed > 0 && <Tally counts={hit} />}
          {said && <span class="muted">{said}</span>}
          {moved && <span class={moved.up ? "positive" : "negative"}>{moved.words}</span>}
          {hit.failing && <span class="negative">failing</span>}
        </div>
      </div>
      <div class="hit-bar">
        <Bar hit={hit} open={open} />
      </div>
      <div class="hit-score">
        <b>{hit.score.toFixed(2)}</b>
        {Math.abs(delta) >= 0.005 && (
          <span class={delta > 0 ? "positive" : "negative"}>
            {delta > 0 ? "+" : "−"}
            {Math.abs(delta).toFixed(2)}
          </span>
        )}
      </div>
    </li>
  );
}

const at = (value: number) => ({ left: `calc(${value} / var(--axis) * 100%)` });
const wide = (from: number, to: number) => ({ ...at(from), width: `calc(${Math.max(0, to - from)} / var(--axis) * 100%)` });

function Bar({ hit, open }: { hit: Hit; open: boolean }) {
  const { parts, relevance, score, experience } = barOf(hit);
  const label = parts.map((part) => `${part.label} ${part.value}`).join(", ");
  const gained = experience >= 0.005;
  const lost = experience <= -0.005;
  return (
    <>
      <div class="bar" role="img" aria-label={`${label}; relevance ${score.toFixed(2)}`}>
        {parts.map((part) => (
          <i key={part.name} class={`part ${part.name}`} style={wide(part.from, part.to)} />
        ))}
        {gained && <i class="part gained" style={wide(relevance, score)} />}
        {lost && <i class="part lost" style={wide(Math.max(0, score), relevance)} />}
      </div>
      {open && (
        <dl class="bar-values small">
          {parts.map((part) => (
            <div key={part.name}>
              <dt>{part.label}</dt>
              <dd>
                <i class={`part ${part.name}`} />
                {part.value}
                {part.name === "coverage" && hit.query_words && ` (${hit.query_words.found} of ${hit.query_words.total})`}
              </dd>
            </div>
          ))}
          {(gained || lost) && (
            <div>
              <dt>reports</dt>
              <dd>
                <i class={`part ${gained ? "gained" : "lost"}`} />
                {gained ? "+" : "−"}
                {Math.abs(experience).toFixed(2)}
              </dd>
            </div>
          )}
        </dl>
      )}
    </>
  );
}

function LeftOut({ misses }: { misses: NearMiss[] }) {
  return (
    <section>
      <h2 class="heading">
        Left out {misses.length > 0 && <span class="aside">the closest {misses.length}</span>}
      </h2>
      {misses.length ? (
        <ul class="misses">
          {misses.map((miss) => (
            <li key={miss.id}>
              <Shape family={familyOf(miss.category)} />
              <a class="ellipsis" href={address(`/memories/${miss.id}`)}>
                <MemoryText text={miss.content} line />
              </a>
              <span class="small muted" title={miss.words}>
                {miss.score > 0 && `${miss.score.toFixed(2)} `}
                <Plain text={miss.words.replace("ranked below --limit", "below the limit").replace("; shown only on request", "")} />
              </span>
            </li>
          ))}
        </ul>
      ) : (
        <p class="muted">Nothing came close.</p>
      )}
    </section>
  );
}

/** A recall as it was: the question, what was given, and why. */

import { useEffect } from "preact/hooks";

import { address } from "../core/router";
import { useRead } from "../core/useRead";
import type { ViewProps } from "../frame/views";
import { categoryWords, familyOf } from "../model/families";
import type { Memory, Recall } from "../model/memory";
import { figuresWords, whyWords, type Signal } from "../model/search";
import { fullTime } from "../model/time";
import { isQuestion } from "../model/timeline";
import { quoted } from "../model/words";
import { Shape } from "../parts/Category";
import { Icon } from "../parts/Icon";
import { MemoryText } from "../parts/MemoryText";
import { Part } from "../parts/Part";
import { Shown } from "../parts/states";
import { countWords, type Counts } from "../parts/Tally";
import { ViewPage } from "../parts/ViewPage";
import "../search/search.css";

type Given = Recall & { kind: string; ranker: string; reports: Counts; hits: (Memory & { score: number; signals: Signal[] })[] };

export default function RecallView({ route }: ViewProps) {
  const path = `/api/recalls/${encodeURIComponent(route.parts[1] ?? "")}`;
  const recall = useRead<Given>(path, {}, { live: false });
  return (
    <ViewPage
      title="Recall"
      command={`mem recalls ${quoted(route.parts[1] ?? "")}`}
      json={path}
      controls={
        <a class="category" href={address("/timeline", { kind: "questions" })}>
          <Icon name="back" /> All questions
        </a>
      }
    >
      <Shown reading={recall}>
        {(given) => (
          <div class="health">
            <h2 class="recall-question">
              <MemoryText text={given.query || "What an agent is told first"} />
            </h2>
            <p class="secondary recall-about">
              {isQuestion(given) ? "Asked by" : "Given to"} {given.writer}, {fullTime(given.at)}. Reports afterwards: {countWords(given.reports).replace("no reports yet", "none")}.
            </p>
            <Part title="Given" about="and why in this order" aside={[given.query && <a href={address("/search", { q: given.query })}>Ask it now</a>, isQuestion(given) && given.hits.length > 0 && <span>relevance</span>]} note={figuresWords(isQuestion(given) ? given.ranker : "", given.hits)}>
              {given.hits.length ? <Hits given={given} marked={route.query.get("memory")} /> : <p class="muted">Nothing was known.</p>}
            </Part>
          </div>
        )}
      </Shown>
    </ViewPage>
  );
}

function Hits({ given, marked }: { given: Given; marked: string | null }) {
  useEffect(() => document.querySelector(".recall-hits [aria-current]")?.scrollIntoView({ block: "nearest" }), [marked]);
  return (
    <ol class="plain-hits recall-hits">
      {given.hits.map((hit, place) => (
        <li key={hit.id} aria-current={hit.id === marked ? "true" : undefined}>
          <b>{place + 1}</b>
          <Shape family={familyOf(hit.category)} />
          <div>
            <a class="side-text" href={address(`/memories/${hit.id}`)}>
              <MemoryText text={hit.content} line />
            </a>
            <p class="small muted">{[categoryWords(hit.category), ...whyWords(hit.signals)].join(" · ")}</p>
          </div>
          {isQuestion(given) && <span title="relevance">{hit.score.toFixed(2)}</span>}
        </li>
      ))}
    </ol>
  );
}

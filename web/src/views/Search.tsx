/** Search: hits explained, or the plain lists by meaning and by words side by side. */

import { useEffect, useRef, useState } from "preact/hooks";

import { apiAddress } from "../core/api";
import { address, setQuery } from "../core/router";
import { useRead } from "../core/useRead";
import { useProject } from "../frame/store-info";
import type { ViewProps } from "../frame/views";
import { categoryWords } from "../model/families";
import type { Found } from "../model/search";
import { quoted } from "../model/words";
import { Icon } from "../parts/Icon";
import { Ticked } from "../parts/MemoryText";
import { Command, Empty, Shown } from "../parts/states";
import { ViewPage } from "../parts/ViewPage";
import { Explained } from "../search/Explained";
import { SideBySide } from "../search/SideBySide";
import "../search/search.css";

const SEE_REVIEW = /: see `mem review`$/u;
const TYPING_MS = 150;
const SHOWN = [
  ["explained", "Explained"],
  ["side", "Side by side"],
] as const;
const MODES = ["hybrid", "semantic", "keyword"];
const RANKERS = ["balanced", "five-signal", "rrf", "weighted"];

export default function Search({ route }: ViewProps) {
  const query = route.query;
  const q = query.get("q") ?? "";
  const side = query.get("show") === "side";
  const mode = MODES.includes(query.get("mode") ?? "") ? query.get("mode")! : "hybrid";
  const ranker = RANKERS.includes(query.get("ranker") ?? "") ? query.get("ranker")! : "";
  const params = { ...useProject(), q: q.trim(), explain: true, peek: true, ...(mode === "hybrid" ? {} : { mode }), ranker };
  const found = useRead<Found>("/api/search", params, { idle: !q.trim() });
  return (
    <ViewPage
      title="Search"
      command={q ? `mem why ${quoted(q)}${mode === "hybrid" ? "" : ` --mode ${mode}`}${ranker ? ` --ranker ${ranker}` : ""}` : undefined}
      json={q ? apiAddress("/api/search", params) : undefined}
      padded={false}
    >
      <div class="search-head">
        <div class="search-line">
          <Question q={q} />
          <div class="choices" role="group" aria-label="How to show the hits">
            {SHOWN.map(([value, label]) => (
              <button
                key={value}
                type="button"
                aria-pressed={side === (value === "side")}
                onClick={() => setQuery({ show: value === "side" ? "side" : null })}
              >
                {label}
              </button>
            ))}
          </div>
        </div>
        <p class="search-facts small muted">
          <Choice label="mode" value={mode} values={MODES} choose={(value) => setQuery({ mode: value === "hybrid" ? null : value })} />
          <Choice
            label="ranker"
            value={ranker || (found.data?.ranker ?? "balanced")}
            values={RANKERS}
            choose={(value) => setQuery({ ranker: value })}
          />
          {q.trim() && found.data && <Facts found={found.data} />}
          <span class="search-aside">Looking never counts as use</span>
        </p>
      </div>
      {!q.trim() ? (
        <Empty title="Ask what an agent would ask">
          <p>You see what it would be given, in which order and why, and what was left out.</p>
          <p class="muted">For example: why does the build fail, what must I know before a release</p>
        </Empty>
      ) : (
        <Shown reading={found}>
          {(data) => (
            <>
              {data.mode === "keyword" && mode !== "keyword" && <NoModel />}
              {data.notice && data.mode === mode && (
                <p class="search-notice secondary">
                  <Ticked text={data.notice.replace(SEE_REVIEW, ":")} /> {SEE_REVIEW.test(data.notice) && <a href={address("/review")}>see Review</a>}
                </p>
              )}
              {side ? <SideBySide found={data} /> : <Explained found={data} question={found.earlier ? "" : q.trim()} />}
            </>
          )}
        </Shown>
      )}
    </ViewPage>
  );
}

/** The field: the address follows 150 ms after typing stops. */
function Question({ q }: { q: string }) {
  const [text, setText] = useState(q);
  const sent = useRef(q);
  useEffect(() => {
    if (q === sent.current) return;
    sent.current = q; // the address was changed by a link or by going back
    setText(q);
  }, [q]);
  useEffect(() => {
    if (text === sent.current) return;
    const timer = setTimeout(() => {
      sent.current = text;
      setQuery({ q: text });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <label class="search-field">
      <span class="hidden-text">Question</span>
      <Icon name="search" />
      <input
        data-filter
        type="search"
        value={text}
        dir="auto"
        maxLength={4000}
        autocomplete="off"
        spellcheck={false}
        autofocus={!q}
        placeholder="A question, as an agent would ask it"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "Escape" || event.key === "Enter") event.currentTarget.blur();
        }}
      />
    </label>
  );
}

function Choice({ label, value, values, choose }: { label: string; value: string; values: string[]; choose: (value: string) => void }) {
  return (
    <label class="search-choice">
      {label}{" "}
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {values.map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <Icon name="down" />
    </label>
  );
}

function Facts({ found }: { found: Found }) {
  const { embedding_ms, rest_ms } = found.took;
  return (
    <span title={embedding_ms > 0 ? `${milliseconds(embedding_ms)} of it to embed the question` : undefined}>
      <span class="search-value">{found.hits.length === 1 ? "1 hit" : `${found.hits.length} hits`}</span> in{" "}
      <span class="search-value">{milliseconds(rest_ms + embedding_ms)}</span>
      {found.intent && (
        <>
          , category <span class="search-value">{categoryWords(found.intent)}</span> preferred
        </>
      )}
    </span>
  );
}

function milliseconds(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

function NoModel() {
  return (
    <div class="search-notice">
      <p class="secondary">Keyword search only: there is no model to compare meanings with.</p>
      <Command text="mem model install" />
    </div>
  );
}

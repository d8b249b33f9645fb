/** Did it help? The record of a memory, and three buttons to add to it. */

import { useState } from "preact/hooks";

import type { Memory, Report, Result } from "../model/memory";
import { cut } from "../model/words";
import { Section } from "./Section";
import { countWords, Scale, Tally, Tick } from "./Tally";

const BUTTONS: readonly { result: Result; word: string; key: string }[] = [
  { result: "worked", word: "Worked", key: "w" },
  { result: "partial", word: "Partly", key: "p" },
  { result: "failed", word: "Failed", key: "f" },
];

export interface HelpedProps {
  memory: Memory;
  outcomes: Report[];
  question: string;
  setQuestion: (question: string) => void;
  report: (result: Result) => void;
}

export function Helped({ memory, outcomes, question, setQuestion, report }: HelpedProps) {
  return (
    <Section title="Did it help?" note={countWords(memory).replaceAll(", ", " · ")}>
      <div class="helped">
        <Tally counts={memory} reports={outcomes} />
        <Scale score={memory.outcome_score} />
      </div>
      <div class="helped-buttons">
        {BUTTONS.map(({ result, word, key }) => (
          <button key={result} type="button" class="button" onClick={() => report(result)}>
            <Tick result={result} /> {word} <kbd>{key}</kbd>
          </button>
        ))}
      </div>
      <QuestionChooser outcomes={outcomes} question={question} setQuestion={setQuestion} />
    </Section>
  );
}

function QuestionChooser({ outcomes, question, setQuestion }: Pick<HelpedProps, "outcomes" | "question" | "setQuestion">) {
  const [open, setOpen] = useState(false);
  const known = [...new Set(outcomes.flatMap((each) => (each.query ? [each.query] : [])))].slice(0, 6);
  if (!open)
    return (
      <p class="small muted">
        {question ? <>Counts for “{cut(question, 90)}”. </> : "Counts a little for every question. "}
        <button type="button" class="text-button" onClick={() => setOpen(true)}>
          {question ? "Change" : "Say which one"}
        </button>
      </p>
    );
  return (
    <div class="question">
      <label class="small">
        The question it was used for
        <input
          class="field"
          list="known-questions"
          ref={(element) => element?.focus()}
          value={question}
          onInput={(event) => setQuestion(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== "Enter" && event.key !== "Escape") return;
            event.stopPropagation();
            setOpen(false);
          }}
        />
      </label>
      <datalist id="known-questions">
        {known.map((each) => (
          <option key={each} value={each} />
        ))}
      </datalist>
      <p class="small">
        <button type="button" class="text-button" onClick={() => setOpen(false)}>
          Use it
        </button>{" "}
        <button type="button" class="text-button" onClick={() => { setQuestion(""); setOpen(false); }}>
          Every question
        </button>
      </p>
    </div>
  );
}

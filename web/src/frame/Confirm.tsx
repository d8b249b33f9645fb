/** The dialog that asks a person for the passphrase before a request that needs one is sent again. */

import { useEffect, useState } from "preact/hooks";

import { Problem, write } from "../core/api";
import { registerConfirm } from "../core/confirm";
import { Dialog } from "../parts/Dialog";

interface Question {
  problem: Problem;
  answer: (headers: Record<string, string> | null) => void;
}

export function Confirm() {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    registerConfirm((_, problem) => new Promise((answer) => setQuestion({ problem, answer })));
  }, []);
  if (!question) return null;
  const finish = (headers: Record<string, string> | null) => {
    setQuestion(null);
    question.answer(headers);
  };
  return <PassphraseDialog problem={question.problem} finish={finish} />;
}

function PassphraseDialog({ problem, finish }: { problem: Problem; finish: Question["answer"] }) {
  const [passphrase, setPassphrase] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      await write("POST", "/api/session/passphrase", { passphrase });
      finish({});
    } catch (failure) {
      setWrong(failure instanceof Problem ? failure.words : String(failure));
    }
  };
  return (
    <Dialog title="This needs a person" close={() => finish(null)}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{problem.words}</p>
        <label>
          Passphrase
          <input
            data-first
            class="field"
            type="password"
            autocomplete="current-password"
            value={passphrase}
            onInput={(event) => setPassphrase(event.currentTarget.value)}
          />
        </label>
        <p class="small muted">It counts for 15 minutes. Nothing was changed so far.</p>
        {wrong && (
          <p role="alert" class="negative">
            {wrong}
          </p>
        )}
        <div class="actions">
          <button type="button" class="button" onClick={() => finish(null)}>
            Cancel
          </button>
          <button class="button primary" disabled={!passphrase}>
            Confirm
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** The dialog that asks a person for a passkey or the passphrase before a request that needs one is sent again. */

import { useEffect, useState } from "preact/hooks";

import { Problem, read, write } from "../core/api";
import { keepConfirmation, registerConfirm, type Asked } from "../core/confirm";
import { canUsePasskeys, sign } from "../core/passkeys";
import { Dialog } from "../parts/Dialog";

interface Question {
  asked: Asked;
  problem: Problem;
  answer: (headers: Record<string, string> | null) => void;
}

export function Confirm() {
  const [question, setQuestion] = useState<Question | null>(null);
  useEffect(() => {
    registerConfirm((asked, problem) => new Promise((answer) => setQuestion({ asked, problem, answer })));
  }, []);
  if (!question) return null;
  const finish = (headers: Record<string, string> | null) => {
    setQuestion(null);
    question.answer(headers);
  };
  return <ConfirmDialog {...question} finish={finish} />;
}

function ConfirmDialog({ asked, problem, finish }: Question & { finish: Question["answer"] }) {
  const [passkeys, setPasskeys] = useState(0);
  const [passphrase, setPassphrase] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  useEffect(() => {
    if (canUsePasskeys()) read<{ passkeys: number }>("/api/session").then((session) => setPasskeys(session.passkeys), () => {});
  }, []);
  const signed = async () => {
    try {
      finish(await sign(asked));
    } catch (failure) {
      setWrong(failure instanceof Problem ? failure.words : "The passkey was not used. Nothing was changed.");
    }
  };
  const submit = async (event: Event) => {
    event.preventDefault();
    try {
      const entered = await write<{ confirmation: string }>("POST", "/api/session/passphrase", { passphrase });
      keepConfirmation(entered.body.confirmation);
      finish({});
    } catch (failure) {
      setWrong(failure instanceof Problem ? failure.words : String(failure));
    }
  };
  return (
    <Dialog title="This needs a person" close={() => finish(null)}>
      <form onSubmit={(event) => void submit(event)}>
        <p>{problem.words}</p>
        {passkeys > 0 && (
          <p>
            <button type="button" class="button primary" onClick={() => void signed()}>
              Sign with a passkey
            </button>{" "}
            <span class="small muted">or</span>
          </p>
        )}
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

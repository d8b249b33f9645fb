/** The dialog that asks a person for a passkey or the passphrase before a request that needs one is sent again. */

import { useEffect, useRef, useState } from "preact/hooks";

import { Problem, read, sentence, write } from "../core/api";
import { keepConfirmation, registerConfirm, type Asked } from "../core/confirm";
import { canUsePasskeys, sign } from "../core/passkeys";
import { address } from "../core/router";
import type { MemoryPage, Session } from "../model/memory";
import { cut, shortId, wholeIds } from "../model/words";
import { Dialog } from "../parts/Dialog";
import { Plain, Ticked, WITHHELD } from "../parts/MemoryText";
import { Command } from "../parts/states";

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
  const [session, setSession] = useState<Session | null>(null);
  const [passphrase, setPassphrase] = useState("");
  const [wrong, setWrong] = useState<string | null>(null);
  const look = () => void read<Session>("/api/session").then(setSession, () => {});
  useEffect(look, []);
  const passkeys = canUsePasskeys() ? (session?.passkeys ?? 0) : 0;
  const signing = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!passphrase) signing.current?.focus();
  }, [passkeys]);
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
  const why = (
    <p>
      <Why text={sentence(problem.details.detail.replace("person at a terminal", "person"))} leave={() => finish(null)} /> An agent could have opened this page too.
    </p>
  );
  if (session && !session.has_passphrase && !passkeys)
    return (
      <Dialog key="none" title="This needs a person" close={() => finish(null)}>
        {why}
        <p>No passphrase is set yet. Set one at your terminal, once:</p>
        <Command text="mem passphrase set" />
        <div class="actions">
          <button data-first type="button" class="button" onClick={() => finish(null)}>
            Cancel
          </button>
          <button type="button" class="button primary" onClick={look}>
            I have set it
          </button>
        </div>
      </Dialog>
    );
  return (
    <Dialog title="This needs a person" close={() => finish(null)}>
      <form onSubmit={(event) => void submit(event)}>
        {why}
        {passkeys > 0 && (
          <p>
            <button ref={signing} type="button" class="button primary" onClick={() => void signed()}>
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
        <p class="small muted">The one you set with <code>mem passphrase set</code>. It counts for 15 minutes, or until you reload the page; nothing was changed so far.</p>
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

const EVERY = { status: ["active", "archived", "staged"], expired: true, superseded: true, all: true };
const BEGINNING = 80;

/** Why a person is asked, with the beginnings of the texts that it is about. */
function Why({ text, leave }: { text: string; leave: () => void }) {
  const [texts, setTexts] = useState<ReadonlyMap<string, string>>(new Map());
  useEffect(() => {
    const ids = wholeIds(text);
    if (!ids.length) return;
    const shown = read<MemoryPage>("/api/memories", { id: ids, ...EVERY, limit: ids.length });
    shown.then(({ items }) => setTexts(new Map(items.map((each) => [each.id, each.content]))), () => {});
  }, [text]);
  return (
    <>
      {text.split(/(`mem review`|\bmem_[a-z0-9]{26}\b)/u).map((part, index) => {
        if (part === "`mem review`")
          return (
            <a key={index} href={address("/review")} onClick={leave}>
              Review
            </a>
          );
        if (index % 2) return <Named key={index} id={part} text={texts.get(part)} />;
        return <Ticked key={index} text={part} />;
      })}
    </>
  );
}

function Named({ id, text }: { id: string; text: string | undefined }) {
  if (!text || WITHHELD.test(text)) return <code>mem_{shortId(id)}</code>;
  return (
    <q class="memory-text" dir="auto">
      <Plain text={text.length > BEGINNING ? `${cut(text, BEGINNING).trimEnd()}…` : text} />
    </q>
  );
}

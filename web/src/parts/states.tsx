/** What a view shows when there is nothing, not yet anything, or a failure. */

import type { ComponentChildren } from "preact";

import { Problem } from "../core/api";
import { Copy } from "./Copy";
import { Ticked } from "./MemoryText";

/** Say what would be here, and the command that fills it. */
export function Empty({ title, children, command }: { title: string; children?: ComponentChildren; command?: string }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {children}
      {command && <Command text={command} />}
    </div>
  );
}

/** A command to copy. */
export function Command({ text }: { text: string }) {
  return (
    <div class="command">
      <code>{text}</code>
      <Copy text={text} />
    </div>
  );
}

/** Grey lines in the height of what will come. */
export function GreyLines({ lines = 6 }: { lines?: number }) {
  return (
    <div class="grey-lines" role="status">
      <span class="hidden-text">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <i key={index} aria-hidden="true" />
      ))}
    </div>
  );
}

/** Say what failed in the server's words, and what to do next. */
export function Failed({ problem, retry }: { problem: Problem; retry?: () => void }) {
  const { request_id, status } = problem.details;
  if (status === 401) return null; // the banner says it, once for everything
  return (
    <div class="problem" role="alert">
      <p>
        <Ticked text={problem.words} />
      </p>
      {request_id && (
        <p class="small muted">
          Request <code>{request_id}</code> <Copy text={request_id} />
        </p>
      )}
      {retry && (
        <button type="button" class="text-button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  );
}

/** Show a reading: grey lines, the failure, or what came. */
export function Shown<Body>({
  reading,
  lines,
  children,
}: {
  reading: { data: Body | null; problem: Problem | null; slow: boolean; stale: boolean; reload: () => void };
  lines?: number;
  children: (data: Body) => ComponentChildren;
}) {
  if (reading.problem && (reading.data === null || reading.problem.code !== "server_gone"))
    return <Failed problem={reading.problem} retry={reading.reload} />;
  if (reading.data === null) return reading.slow ? <GreyLines lines={lines} /> : null;
  return <div class={reading.stale ? "view dim" : undefined} style={{ display: "contents" }}>{children(reading.data)}</div>;
}

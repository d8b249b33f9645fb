// The paths and types of the REST interface, written by docs/typescript.py; `make docs` writes it again.

export type AccessToken = {
  id: string;
  name: string;
  role: Role;
  person: string | null;
  made_by: string;
  created_at: string;
  expires_at: string;
  revoked_at: string | null;
};

export type Added = {
  id: string;
  status: string;
  candidates: Candidate[];
  redacted: string[];
  reason?: string;
  hint?: string;
  question?: string;
};

export type AuditEntry = {
  number: number;
  at: string;
  operation: string;
  action: string;
  memory: string | null;
  writer: string;
  door: string;
  before: string | null;
  after: string | null;
  hash: string;
  undoes: string | null;
  about: { id: string; content: string; }[];
  said: string | null;
  confirmed_by: string | null;
};

export type Candidate = { id: string; content: string; similarity: number; relation: string; };

export type CapturedStatement = {
  id: string | null;
  status: string;
  category: Category;
  priority: Priority;
  content: string;
  cue: string;
  why: string;
  reason: string | null;
  redacted: string[];
};

export type Category = "architecture" | "convention" | "decision" | "pattern" | "gotcha" | "workaround" | "troubleshooting" | "command" | "preference" | "dependency" | "environment" | "coding_style" | "tool_preference" | "context" | "todo" | "general" | "warning" | "learning" | "policy" | "workflow" | "pitfall" | "fact" | "observation" | "progress" | "relationship";

export type Check = { name: string; state: State; found: number; detail: string; fix: string | null; };

export type Citation = {
  path: string | null;
  first_line: number | null;
  last_line: number | null;
  commit: string | null;
  lines_hash: string | null;
  excerpt: string | null;
  url: string | null;
  anchor: string | null;
  state?: SourceState;
  now?: { path?: string | null; first_line?: number | null; last_line?: number | null; url?: string; };
};

export type Cited = {
  state: SourceState;
  path?: string | null;
  first_line?: number | null;
  last_line?: number | null;
  commit?: string | null;
  lines_hash?: string | null;
  excerpt?: string | null;
  url?: string | null;
  anchor?: string | null;
  now?: { path?: string | null; first_line?: number | null; last_line?: number | null; url?: string; };
};

export type Connection = {
  agent: string;
  present: boolean;
  state: string;
  through: string | null;
  problem: string | null;
  fix: string | null;
  title: string;
};

export type ConsolidationStep = { deed: Deed; memory: string | null; reason: string; content: string; other: string | null; };

export type ContextLayer = "handoff" | "baseline" | "contextual" | "procedure";

export type Decision = "approve" | "edit" | "keep" | "merge" | "supersede" | "drop" | "accept" | "renew" | "archive";

export type Deed = "finish" | "archive" | "merge" | "review" | "follow" | "drift" | "promote" | "suggest";

export type Difference = { field: string; old: unknown; new: unknown; pieces?: Piece[]; };

export type EpisodeKind = "decision" | "error" | "milestone" | "action" | "observation" | "reflection" | "session_start" | "session_end";

export type Experience = { worked: number; partial: number; failed: number; seen: number; };

export type Facets = {
  total: number;
  category: Record<string, number>;
  status: Record<string, number>;
  source: Record<string, number>;
  project: Record<string, number>;
  tag: Record<string, number>;
  writer: Record<string, number>;
  reports: Record<string, number>;
  family: Record<string, number>;
};

export type Family = "rules" | "design" | "hazards" | "fixes" | "ops" | "notes";

export type Flaw = {
  kind: FlawKind;
  entry: number | null;
  memory: string | null;
  says: string;
  session: string | null;
};

export type FlawKind = "edited" | "gap" | "cut_off" | "head" | "record" | "signature" | "access" | "payload";

export type Funnel = { given: number; used: number; reported: number; worked: number; };

export type Handoff = {
  id: string;
  session: string | null;
  at: string;
  done: string[];
  next: string[];
  questions: string[];
  files: string[];
  text: string;
};

export type Hit = {
  id: string;
  content: string;
  category: Category;
  project: string | null;
  tier: Tier;
  scope: string[];
  tags: string[];
  priority: Priority;
  source: Source;
  confidence: number;
  outcome_score: number;
  worked: number;
  partial: number;
  failed: number;
  status: Status;
  created_at: string;
  updated_at: string;
  score: number;
  match: number;
  strength: string;
  failing: boolean;
  conflicts: string[];
  citation: SourceState | null;
  content_hash?: string;
  metadata?: Record<string, unknown>;
  source_run_id?: string | null;
  writer?: string;
  writer_kind?: WriterKind;
  relevance?: number;
  recall_count?: number;
  last_recalled_at?: string | null;
  use_count?: number;
  last_used_at?: string | null;
  reinforcement_count?: number;
  reinforced_at?: string | null;
  session?: string | null;
  position?: number | null;
  reason?: Reason | null;
  reason_detail?: string | null;
  expires_at?: string | null;
  approved_by?: string | null;
  approved_at?: string | null;
  citations?: Cited[];
  version?: number;
  owner?: string | null;
  signals?: Signal[];
  experience?: Experience | null;
  query_words?: WordCount | null;
  ranks?: Ranks;
  group?: string | null;
  more?: number;
};

export type InVain = { question: string; times: number; failed: number; at: string; };

export type Judged = {
  id: string;
  result: Outcome;
  outcome_score: number;
  status: Status;
  counted: boolean;
  repeated: boolean;
};

export type Link = { source: string; target: string; kind: LinkKind; created_at: string; };

export type LinkKind = "supersedes" | "conflicts_with" | "relates_to";

export type Matter = "held" | "proposed" | "question" | "conflict" | "similar" | "drifted" | "failing" | "doubtful" | "expired";

export type Memory = {
  id: string;
  content: string;
  content_hash: string;
  created_at: string;
  updated_at: string;
  category: Category;
  tier: Tier;
  project: string | null;
  scope: string[];
  tags: string[];
  metadata: Record<string, unknown>;
  priority: Priority;
  source: Source;
  source_run_id: string | null;
  writer: string;
  writer_kind: WriterKind;
  confidence: number;
  relevance: number;
  outcome_score: number;
  worked: number;
  failed: number;
  partial: number;
  recall_count: number;
  last_recalled_at: string | null;
  use_count: number;
  last_used_at: string | null;
  reinforcement_count: number;
  reinforced_at: string | null;
  session: string | null;
  position: number | null;
  status: Status;
  reason: Reason | null;
  reason_detail: string | null;
  expires_at: string | null;
  approved_by: string | null;
  approved_at: string | null;
  citations: Citation[];
  version: number;
  owner: string | null;
};

export type MemoryPart = {
  id: string;
  content: string;
  category: Category;
  project: string | null;
  tier: Tier;
  scope: string[];
  tags: string[];
  priority: Priority;
  source: Source;
  confidence: number;
  outcome_score: number;
  worked: number;
  partial: number;
  failed: number;
  status: Status;
  created_at: string;
  updated_at: string;
  reason?: Reason | null;
};

export type Mode = "hybrid" | "semantic" | "keyword";

export type Moved = { id: string; relevance_before: number; relevance: number; };

export type NearMiss = {
  id: string;
  content: string;
  category: Category;
  project: string | null;
  tier: Tier;
  scope: string[];
  tags: string[];
  priority: Priority;
  source: Source;
  confidence: number;
  outcome_score: number;
  worked: number;
  partial: number;
  failed: number;
  status: Status;
  created_at: string;
  updated_at: string;
  score: number;
  reason: string;
  words: string;
};

export type NextStep = { command: string; why: string; };

export type Operation = {
  id: string;
  at: string;
  writer: string;
  door: string;
  actions: Record<string, number>;
  memories: string[];
  undoes: string | null;
  undone: boolean;
};

export type Outcome = "worked" | "partial" | "failed";

export type OutcomeEvent = {
  id: string;
  memory: string;
  result: Outcome;
  counted: boolean;
  at: string;
  session: string;
  writer: string;
  query: string | null;
  recall: string | null;
  evidence: string | null;
};

export type Part = "start" | "prompt" | "search" | "warning" | "learned" | "seen";

export type PassedOver = { operation: string; why: string; };

export type Piece = { kind: PieceKind; text: string; };

export type PieceKind = "same" | "removed" | "added";

export type PlainHit = {
  id: string;
  content: string;
  category: Category;
  project: string | null;
  tier: Tier;
  scope: string[];
  tags: string[];
  priority: Priority;
  source: Source;
  confidence: number;
  outcome_score: number;
  worked: number;
  partial: number;
  failed: number;
  status: Status;
  created_at: string;
  updated_at: string;
  reason?: Reason | null;
  score: number;
  ranks: Ranks;
};

export type Priority = "critical" | "high" | "medium" | "normal";

export type Problem = {
  type: string;
  title: string;
  status: number;
  code: string;
  detail: string;
  next_step: string;
  errors?: unknown[];
  candidates?: unknown[];
  current?: Record<string, unknown>;
};

export type Procedure = {
  id: string;
  name: string;
  when: string;
  steps: string[];
  scope: string[];
  tags: string[];
  worked: number;
  failed: number;
  partial: number;
  project: string | null;
  status: string;
  version: number;
  proven: boolean;
};

export type Project = {
  id: string;
  key: string;
  name: string;
  root: string | null;
  aliases: string[];
  last_commit_at: string | null;
  looked_at: string | null;
  memories: number;
  stale: boolean;
  registered: string[];
};

export type Ranks = { keyword: number | null; semantic: number | null; together: number | null; final: number | null; };

export type Reach = "project" | "global" | "all";

export type Reason = "writing" | "question" | "review" | "outcome" | "confidence" | "expired" | "faded" | "asked" | "merged" | "skipped" | "undone" | "forgotten";

export type Recall = {
  id: string;
  at: string;
  query: string;
  kind: string;
  mode: Mode;
  ranker: string;
  writer: string;
  session: string;
  project: string | null;
  memories: number;
  reports: Reports;
};

export type Reports = { worked: number; partial: number; failed: number; };

export type Reproduced = { recall: string; text: string; digest: string; same: boolean; };

export type Role = "reader" | "writer" | "admin";

export type Run = {
  id: string;
  task: string;
  write_scope: string[];
  at: string;
  writer: string;
  session: string;
  project: string | null;
  recall: string;
  memories: number;
  included: string[];
  excluded: string[];
  result: RunResult | null;
  finished_at: string | null;
  finished_by: string | null;
  used: string[];
};

export type RunResult = "worked" | "failed";

export type Session = {
  session: string;
  writer: string;
  project: string | null;
  begun: string;
  ended: string;
  lines: ({
    number: number;
    part: Part;
    memory: MemoryPart;
    at: string;
    query: string;
    recall: string | null;
    result: Outcome | null;
  })[];
};

export type ShareInterval = { share: number; low: number; high: number; };

export type Signal = { name: string; value: number; share: number; };

export type Source = "human" | "agent" | "import" | "capture" | "run" | "learning";

export type SourceCounts = { source: Source; reports: Reports; worked: ShareInterval | null; };

export type SourceState = "fresh" | "moved" | "changed" | "missing" | "unverifiable";

export type State = "ok" | "notice" | "problem" | "repaired" | "cannot_repair" | "not_checked";

export type Stats = {
  reach: Reach;
  project: string | null;
  total: number;
  active: number;
  archived: number;
  staged: number;
  by_category: Record<string, number>;
  by_tier: Record<string, number>;
  average_outcome: number;
  tokens_stored: number;
  size_bytes: number;
  search_mode: Mode;
  given_out: number | null;
  expiring: number;
  upkeep: Upkeep | null;
  by_family: {
    rules?: number;
    design?: number;
    hazards?: number;
    fixes?: number;
    ops?: number;
    notes?: number;
  };
  outcomes: { high: number; neutral: number; low: number; };
};

export type Status = "staged" | "active" | "archived";

export type Task = {
  ref: string;
  id: string;
  source: TaskSource;
  status: TaskStatus;
  stated_status: string;
  description: string;
  priority: number | string | null;
  created_at: string | null;
  updated_at: string | null;
  closed_at: string | null;
  labels: string[];
  blocks: string[];
  blocked_by: string[];
  list: string | null;
  origin: string;
  extra: Record<string, unknown>;
  waits_for: string[];
  memories: {
    id: string;
    content: string;
    status: Status;
    linked_at: string;
    automatic: boolean;
    reported: boolean;
  }[];
  title: string;
};

export type TaskOrigin = {
  source: TaskSource;
  where: string;
  tasks: number;
  malformed: number;
  as_of: string | null;
  flaws: string[];
  lines: number[];
};

export type TaskSource = "beads" | "claude";

export type TaskStatus = "open" | "in_progress" | "blocked" | "deferred" | "completed" | "cancelled" | "other";

export type Tier = "semantic" | "episodic" | "procedural";

export type TimelineEvent = {
  id: string;
  status: Status;
  reason: Reason | null;
  session: string | null;
  number: number | null;
  kind: string | null;
  outcome: string | null;
  at: string;
  content: string;
  tags: string[];
  project: string | null;
  writer: string;
};

export type Trusted = { id: string; confidence_before: number; confidence: number; status: Status; };

export type Upkeep = {
  last: string | null;
  counts: Record<string, number>;
  runs: number;
  due: string | null;
  automatic: boolean;
};

export type Verdict = {
  intact: boolean;
  entries: number;
  head: string;
  flaws: Flaw[];
  sessions: number;
  signatures: number;
};

export type Version = {
  number: number;
  at: string;
  action: string;
  operation: string;
  undoes: string | null;
  writer: string;
  door: string;
  intact: boolean;
  changes: Difference[];
  memory: Memory;
};

export type Waiting = {
  kind: Matter;
  reason: string;
  memory: Memory;
  other: Memory | null;
  similarity: number | null;
  offers: Decision[];
};

export type Weekly = {
  items: {
    week: string;
    worked: number;
    partial: number;
    failed: number;
    added: number;
    archived: number;
    given: number;
  }[];
  before: Reports;
};

export type WordCount = { found: number; total: number; };

export type WriterKind = "person" | "agent";

export interface Paths {
  /** Return a page of memories. */
  "GET /api/memories": {
    takes: {
      query?: {
        category?: string[];
        tags?: string[];
        tier?: ("semantic" | "episodic" | "procedural")[];
        scope?: string[];
        path?: string[];
        source?: ("human" | "agent" | "import" | "capture" | "run" | "learning")[];
        status?: ("staged" | "active" | "archived")[];
        reason?: ("writing" | "question" | "review" | "outcome" | "confidence" | "expired" | "faded" | "asked" | "merged" | "skipped" | "undone" | "forgotten")[];
        writer?: string[];
        min_confidence?: number;
        below_confidence?: number;
        created_before?: string;
        created_after?: string;
        has_outcome?: boolean;
        id?: string[];
        expired?: boolean;
        expired_since?: string;
        superseded?: boolean;
        proposed?: boolean;
        drifted?: boolean;
        priority?: ("critical" | "high" | "medium" | "normal")[];
        q?: string;
        sort?: string;
        ascending?: boolean;
        limit?: number;
        cursor?: string;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      items: Memory[];
      next: string | null;
      total: number | null;
      failing: string[];
      notices?: string[];
    };
  };
  /** Store a memory, or name the known one it repeats. */
  "POST /api/memories": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        content: string;
        category?: string;
        tags?: string[];
        metadata?: Record<string, unknown>;
        scope?: string[];
        priority?: "critical" | "high" | "medium" | "normal";
        confidence?: number;
        relevance?: number;
        expires_at?: string;
        never_expires?: boolean;
        cite?: string[];
        on_duplicate?: "ask" | "merge" | "keep" | "skip";
        merge_text?: "fuller" | "new" | "known";
        supersedes?: string;
        same?: string;
        conflicts?: string;
      };
    };
    answer: Added & { operation: string | null; notices?: string[]; };
  };
  /** Store many memories in few durable steps; if one is invalid, store none. */
  "POST /api/memories/batch": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        memories: unknown[];
      };
    };
    answer: {
      items: Added[];
      next: string | null;
      total: number | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Return a memory with its links and outcomes; counts as use when an agent opens it. */
  "GET /api/memories/{memory_id}": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        peek?: boolean;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      memory: Memory;
      links: Link[];
      outcomes: OutcomeEvent[];
      superseded_by: string | null;
      failing: boolean;
      notices?: string[];
    };
  };
  /** Change a memory; the old version stays in its history. */
  "PATCH /api/memories/{memory_id}": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "If-Match"?: string;
      };
      body?: {
        content?: string;
        category?: string;
        priority?: "critical" | "high" | "medium" | "normal";
        confidence?: number;
        relevance?: number;
        expires_at?: string;
        never_expires?: boolean;
        scope?: string[];
        add_tags?: string[];
        remove_tags?: string[];
        metadata?: Record<string, unknown>;
        unset_metadata?: string[];
        cite?: string[];
      };
    };
    answer: { memory: Memory; redacted: string[]; hint?: string; operation: string | null; notices?: string[]; };
  };
  /** Add labels to a memory, or remove them. */
  "POST /api/memories/{memory_id}/tags": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        words: string[];
        remove?: boolean;
      };
    };
    answer: { memory: Memory; redacted: string[]; hint?: string; operation: string | null; notices?: string[]; };
  };
  /** Return the active memories closest to one; never counts as use. */
  "GET /api/memories/{memory_id}/related": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        limit?: number;
        category?: string[];
        tier?: ("semantic" | "episodic" | "procedural")[];
        tags?: string[];
        scope?: string[];
        path?: string[];
        source?: ("human" | "agent" | "import" | "capture" | "run" | "learning")[];
        status?: ("staged" | "active" | "archived")[];
        reason?: ("writing" | "question" | "review" | "outcome" | "confidence" | "expired" | "faded" | "asked" | "merged" | "skipped" | "undone" | "forgotten")[];
        writer?: string[];
        min_confidence?: number;
        below_confidence?: number;
        created_before?: string;
        created_after?: string;
        has_outcome?: boolean;
        id?: string[];
        expired?: boolean;
        expired_since?: string;
        superseded?: boolean;
        proposed?: boolean;
        drifted?: boolean;
        priority?: ("critical" | "high" | "medium" | "normal")[];
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { id: string; mode: string; hits: (MemoryPart & { score: number; })[]; notices?: string[]; };
  };
  /** List the links of a memory, in both directions. */
  "GET /api/memories/{memory_id}/links": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: Link[]; next: string | null; total: number | null; notices?: string[]; };
  };
  /** Link two memories. */
  "POST /api/memories/{memory_id}/links": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        kind: "supersedes" | "conflicts_with" | "relates_to";
        other: string;
      };
    };
    answer: {
      items: Link[];
      next: string | null;
      total: number | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Remove a link. */
  "DELETE /api/memories/{memory_id}/links/{kind}/{other}": {
    takes: {
      path: {
        memory_id: string;
        kind: "supersedes" | "conflicts_with" | "relates_to";
        other: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      items: Link[];
      next: string | null;
      total: number | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Settle that a memory replaces, repeats or contradicts another. */
  "POST /api/memories/{memory_id}/settle": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        relation: "supersedes" | "same" | "conflicts";
        other: string;
      };
    };
    answer: { id: string; status: string; notice: string; operation: string | null; notices?: string[]; };
  };
  /** Archive memories. */
  "POST /api/memories/archive": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        memory_ids: string[];
      };
    };
    answer: {
      items: (Memory & { notice?: string; })[];
      next: string | null;
      total: number | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Restore archived memories. */
  "POST /api/memories/restore": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        memory_ids: string[];
      };
    };
    answer: {
      items: (Memory & { notice?: string; })[];
      next: string | null;
      total: number | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Approve memories; only a person can. */
  "POST /api/memories/approve": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        memory_ids: string[];
      };
    };
    answer: {
      items: (Memory & { notice?: string; })[];
      next: string | null;
      total: number | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Add labels to several memories, or remove them, as one operation. */
  "POST /api/memories/tag": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        memory_ids: string[];
        words: string[];
        remove?: boolean;
      };
    };
    answer: {
      items: { memory: Memory; redacted: string[]; hint?: string; }[];
      next: string | null;
      total: number | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Erase everything that memories said, for good; without `yes`, show what would be erased. */
  "POST /api/memories/forget": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        memory_ids: string[];
        yes?: boolean;
      };
    };
    answer: {
      erased: boolean;
      memories: ({
        id: string;
        content: string;
        versions: number;
        links: number;
        outcomes: number;
        recalls: number;
        copies: string[];
        lives_on: string | null;
      })[] | Memory[];
      swept?: boolean;
      operation: string | null;
      notices?: string[];
    };
  };
  /** List the recalls that returned a memory, newest first. */
  "GET /api/memories/{memory_id}/recalls": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        session?: string;
        limit?: number;
        since?: string;
        until?: string;
        here?: boolean;
        cursor?: string;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: Recall[]; next: string | null; total: number | null; notices?: string[]; };
  };
  /** Search for the best memories; what an agent is given is recorded as a recall. */
  "GET /api/search": {
    takes: {
      query: {
        q: string;
        limit?: number;
        mode?: "hybrid" | "semantic" | "keyword";
        ranker?: string;
        category?: string[];
        tags?: string[];
        tier?: ("semantic" | "episodic" | "procedural")[];
        scope?: string[];
        path?: string[];
        source?: ("human" | "agent" | "import" | "capture" | "run" | "learning")[];
        status?: ("staged" | "active" | "archived")[];
        reason?: ("writing" | "question" | "review" | "outcome" | "confidence" | "expired" | "faded" | "asked" | "merged" | "skipped" | "undone" | "forgotten")[];
        writer?: string[];
        min_confidence?: number;
        below_confidence?: number;
        created_before?: string;
        created_after?: string;
        has_outcome?: boolean;
        id?: string[];
        expired?: boolean;
        expired_since?: string;
        superseded?: boolean;
        proposed?: boolean;
        drifted?: boolean;
        priority?: ("critical" | "high" | "medium" | "normal")[];
        group_by?: string;
        diverse?: boolean;
        budget?: number;
        nearest?: boolean;
        peek?: boolean;
        explain?: boolean;
        full?: boolean;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      recall: string | null;
      mode: string;
      ranker: string;
      hits: Hit[];
      group_by?: string;
      duplicates?: number;
      left_out?: number;
      intent?: Category | null;
      near_misses?: NearMiss[];
      by_words?: PlainHit[];
      by_meaning?: PlainHit[];
      took?: { embedding_ms: number; rest_ms: number; };
      notice?: string | null;
      notices?: string[];
    };
  };
  /** Explain a search, near misses included; never counts as use. */
  "GET /api/why": {
    takes: {
      query: {
        q: string;
        limit?: number;
        mode?: "hybrid" | "semantic" | "keyword";
        ranker?: string;
        category?: string[];
        tags?: string[];
        tier?: ("semantic" | "episodic" | "procedural")[];
        scope?: string[];
        path?: string[];
        source?: ("human" | "agent" | "import" | "capture" | "run" | "learning")[];
        status?: ("staged" | "active" | "archived")[];
        reason?: ("writing" | "question" | "review" | "outcome" | "confidence" | "expired" | "faded" | "asked" | "merged" | "skipped" | "undone" | "forgotten")[];
        writer?: string[];
        min_confidence?: number;
        below_confidence?: number;
        created_before?: string;
        created_after?: string;
        has_outcome?: boolean;
        id?: string[];
        expired?: boolean;
        expired_since?: string;
        superseded?: boolean;
        proposed?: boolean;
        drifted?: boolean;
        priority?: ("critical" | "high" | "medium" | "normal")[];
        group_by?: string;
        diverse?: boolean;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      recall: string | null;
      mode: string;
      ranker: string;
      hits: Hit[];
      group_by?: string;
      duplicates?: number;
      left_out?: number;
      intent: Category | null;
      near_misses: NearMiss[];
      by_words: PlainHit[];
      by_meaning: PlainHit[];
      took: { embedding_ms: number; rest_ms: number; };
      notice: string | null;
      notices?: string[];
    };
  };
  /** Count the memories of a list by category, status, source, project, tag and writer. */
  "GET /api/facets": {
    takes: {
      query?: {
        category?: string[];
        tags?: string[];
        tier?: ("semantic" | "episodic" | "procedural")[];
        scope?: string[];
        path?: string[];
        source?: ("human" | "agent" | "import" | "capture" | "run" | "learning")[];
        status?: ("staged" | "active" | "archived")[];
        reason?: ("writing" | "question" | "review" | "outcome" | "confidence" | "expired" | "faded" | "asked" | "merged" | "skipped" | "undone" | "forgotten")[];
        writer?: string[];
        min_confidence?: number;
        below_confidence?: number;
        created_before?: string;
        created_after?: string;
        has_outcome?: boolean;
        id?: string[];
        expired?: boolean;
        expired_since?: string;
        superseded?: boolean;
        proposed?: boolean;
        drifted?: boolean;
        priority?: ("critical" | "high" | "medium" | "normal")[];
        q?: string;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Facets & { notices?: string[]; };
  };
  /** List the memories of a project and the global ones, newest first. */
  "GET /api/projects/{project}/memories": {
    takes: {
      path: {
        project: string;
      };
      query?: {
        type?: string[];
        active?: boolean;
        tags?: string;
        limit?: number;
        cursor?: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      memories: ({
        id: string;
        projectId: string | null;
        type: string;
        content: string;
        source: string;
        tags: string[];
        relevanceScore: number;
        active: boolean;
        createdAt: string;
      })[];
      next?: string;
      notices?: string[];
    };
  };
  /** Store a memory in a project; a project with a new name begins with it. */
  "POST /api/projects/{project}/memories": {
    takes: {
      path: {
        project: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        content: string;
        type: string;
        relevanceScore?: number;
        confidence?: number;
        expiresAt?: string;
        tags?: string[];
        onDuplicate?: "ask" | "merge" | "keep" | "skip";
      };
    };
    answer: {
      id: string;
      projectId: string | null;
      type: string;
      content: string;
      source: string;
      tags: string[];
      relevanceScore: number;
      active: boolean;
      createdAt: string;
      updatedAt: string;
      sourceRunId: string | null;
      confidence: number;
      expiresAt: string | null;
      approvedBy: string | null;
      approvedAt: string | null;
      version: number;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Return one memory. */
  "GET /api/projects/{project}/memories/{memoryId}": {
    takes: {
      path: {
        project: string;
        memoryId: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      id: string;
      projectId: string | null;
      type: string;
      content: string;
      source: string;
      tags: string[];
      relevanceScore: number;
      active: boolean;
      createdAt: string;
      updatedAt: string;
      sourceRunId: string | null;
      confidence: number;
      expiresAt: string | null;
      approvedBy: string | null;
      approvedAt: string | null;
      version: number;
      notices?: string[];
    };
  };
  /** Change a memory; `active` archives or restores it. */
  "PATCH /api/projects/{project}/memories/{memoryId}": {
    takes: {
      path: {
        project: string;
        memoryId: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "If-Match"?: string;
      };
      body?: {
        content?: string;
        type?: string;
        relevanceScore?: number;
        confidence?: number;
        expiresAt?: string;
        tags?: string[];
        active?: boolean;
      };
    };
    answer: {
      id: string;
      projectId: string | null;
      type: string;
      content: string;
      source: string;
      tags: string[];
      relevanceScore: number;
      active: boolean;
      createdAt: string;
      updatedAt: string;
      sourceRunId: string | null;
      confidence: number;
      expiresAt: string | null;
      approvedBy: string | null;
      approvedAt: string | null;
      version: number;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Archive a memory; PATCH with active true restores it. With `erase=true` a person erases it for good. */
  "DELETE /api/projects/{project}/memories/{memoryId}": {
    takes: {
      path: {
        project: string;
        memoryId: string;
      };
      query?: {
        erase?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "If-Match"?: string;
      };
    };
    answer: undefined;
  };
  /** Approve a memory, which raises its confidence to 1; only a person can. */
  "PATCH /api/projects/{project}/memories/{memoryId}/approve": {
    takes: {
      path: {
        project: string;
        memoryId: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      id: string;
      projectId: string | null;
      type: string;
      content: string;
      source: string;
      tags: string[];
      relevanceScore: number;
      active: boolean;
      createdAt: string;
      updatedAt: string;
      sourceRunId: string | null;
      confidence: number;
      expiresAt: string | null;
      approvedBy: string | null;
      approvedAt: string | null;
      version: number;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Write what an agent should know before it begins, within its budget. */
  "GET /api/context": {
    takes: {
      query?: {
        task?: string;
        task_id?: string;
        query?: string;
        paths?: string[];
        budget?: number;
        max_characters?: number;
        format?: "markdown" | "compact" | "plain" | "json";
        start?: boolean;
        order?: "balanced" | "s4" | "s1";
        peek?: boolean;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      recall: string | null;
      text: string;
      tokens: number;
      budget: number;
      digest: string;
      memories: { id: string; layer: ContextLayer; signals: Record<string, number>; score: number; }[];
      left_out: number;
      redacted: string[];
      notice: string | null;
      notices?: string[];
    };
  };
  /** Write a whole prompt from these parts and the memories that a run would be given. */
  "POST /api/compose": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
      body: {
        task: string;
        role?: string;
        workspace?: string;
        read_first?: string[];
        constraints?: string[];
        retry_digest?: string;
        output_format?: string;
        write_scope?: string[];
        include?: string[];
        exclude?: string[];
        memories?: string[];
        limit?: number;
        budget?: number;
        order?: "balanced" | "s4" | "s1";
        peek?: boolean;
      };
    };
    answer: {
      recall: string | null;
      text: string;
      tokens: number;
      digest: string;
      budget: number;
      memory_tokens: number;
      memories: string[];
      left_out: string[];
      redacted: string[];
      notices?: string[];
    };
  };
  /** Return at most two lines about known problems with a command, a file or an error. */
  "POST /api/warn": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
      body?: {
        command?: string;
        path?: string;
        error?: string;
        repeat?: boolean;
      };
    };
    answer: {
      recall: string | null;
      text: string;
      warnings: { id: string; because: string; line: string; }[];
      redacted: string[];
      notices?: string[];
    };
  };
  /** List the last runs of a named project, or of all. */
  "GET /api/runs": {
    takes: {
      query?: {
        limit?: number;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: Run[]; next: string | null; total: number | null; notices?: string[]; };
  };
  /** Start a run and select its memories. */
  "POST /api/runs": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        task: string;
        write_scope?: string[];
        include?: string[];
        exclude?: string[];
        limit?: number;
        budget?: number;
        order?: "balanced" | "s4" | "s1";
      };
    };
    answer: Run & {
      hits: (MemoryPart & { score: number; signals: { name: string; value: number; }[]; } & { conflicts: string[]; })[];
      text: string | null;
    } & { operation: string | null; notices?: string[]; };
  };
  /** Return a run with the memories it was given; never counts as use. */
  "GET /api/runs/{run_id}": {
    takes: {
      path: {
        run_id: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Run & {
      hits: (MemoryPart & { score: number; signals: { name: string; value: number; }[]; } & { conflicts: string[]; })[];
      text: string | null;
    } & { notices?: string[]; };
  };
  /** Finish a run: adjust the confidence of the memories it used, and store its notes. */
  "POST /api/runs/{run_id}/finish": {
    takes: {
      path: {
        run_id: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        result: "worked" | "failed";
        used?: string[];
        notes?: string[];
      };
    };
    answer: {
      run: Run;
      changed: boolean;
      moved: Moved[];
      learned: Added[];
      notice: string | null;
      memories: Trusted[];
      operation: string | null;
      notices?: string[];
    };
  };
  /** List the last recalls, newest first. */
  "GET /api/recalls": {
    takes: {
      query?: {
        session?: string;
        limit?: number;
        memory_id?: string;
        since?: string;
        until?: string;
        here?: boolean;
        cursor?: string;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: Recall[]; next: string | null; total: number | null; notices?: string[]; };
  };
  /** Return a recall with its exact list of memories; never counts as use. */
  "GET /api/recalls/{recall_id}": {
    takes: {
      path: {
        recall_id: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Recall & { hits: (MemoryPart & { score: number; signals: { name: string; value: number; }[]; })[]; } & { notices?: string[]; };
  };
  /** Rebuild the text of an earlier context or prompt; never counts as use. */
  "GET /api/recalls/{recall_id}/text": {
    takes: {
      path: {
        recall_id: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Reproduced & { notices?: string[]; };
  };
  /** Confirm that memories still hold. */
  "POST /api/memories/reinforce": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        memory_ids: string[];
      };
    };
    answer: {
      items: (Memory & { notice?: string; })[];
      next: string | null;
      total: number | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Record an outcome for the named memories; all of them or none. */
  "POST /api/outcomes": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        memory_ids: string[];
        result: "worked" | "partial" | "failed";
        query?: string;
        recall?: string;
        evidence?: string;
        event_id?: string;
        task?: string;
      };
    };
    answer: {
      items: Judged[];
      next: string | null;
      total: number | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Extract preferences, corrections, rules and decisions from what a person said. */
  "POST /api/capture": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body?: {
        text?: string;
        transcript?: boolean;
        dry_run?: boolean;
      };
    };
    answer: {
      dry_run: boolean;
      messages: number;
      kept: CapturedStatement[];
      reinforced: CapturedStatement[];
      skipped: number;
      damaged: number;
      notice: string | null;
      reminder: string | null;
      would_keep?: CapturedStatement[];
      operation: string | null;
      notices?: string[];
    };
  };
  /** Record an event at the end of the session. */
  "POST /api/episodes": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        text: string;
        kind?: "decision" | "error" | "milestone" | "action" | "observation" | "reflection" | "session_start" | "session_end";
        outcome?: "worked" | "partial" | "failed";
        tags?: string[];
        at?: string;
      };
    };
    answer: {
      id: string;
      status: string;
      session: string;
      number: number;
      kind: EpisodeKind;
      outcome: Outcome | null;
      at: string;
      redacted: string[];
      reason?: string;
      operation: string | null;
      notices?: string[];
    };
  };
  /** List the last events, newest last. */
  "GET /api/timeline": {
    takes: {
      query?: {
        since?: string;
        until?: string;
        session?: string;
        kinds?: ("decision" | "error" | "milestone" | "action" | "observation" | "reflection" | "session_start" | "session_end")[];
        limit?: number;
        cursor?: string;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: TimelineEvent[]; next: string | null; total: number | null; notices?: string[]; };
  };
  /** Return the last handoff of the project. */
  "GET /api/handoff": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { handoff: Handoff | null; notices?: string[]; };
  };
  /** Close the session with notes for the next one. */
  "POST /api/handoff": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body?: {
        text?: string;
        done?: string[];
        next_steps?: string[];
        questions?: string[];
        files?: string[];
      };
    };
    answer: Handoff & { status: string; number: number; redacted: string[]; reason?: string; } & { operation: string | null; notices?: string[]; };
  };
  /** Report what a session was given, was warned of and learned; never counts as use. */
  "GET /api/sessions/last": {
    takes: {
      query?: {
        session?: string;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { session: Session | null; notices?: string[]; };
  };
  /** List the procedures of the project and the global ones, proven ones first. */
  "GET /api/procedures": {
    takes: {
      query?: {
        limit?: number;
        cursor?: string;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: Procedure[]; next: string | null; total: number | null; notices?: string[]; };
  };
  /** Return a procedure: the project's own, else a global one. */
  "GET /api/procedures/{name}": {
    takes: {
      path: {
        name: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Procedure & { notices?: string[]; };
  };
  /** Store steps under a name that is unique in the project. */
  "PUT /api/procedures/{name}": {
    takes: {
      path: {
        name: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
      body: {
        steps: string[];
        when?: string;
        scope?: string[];
        tags?: string[];
      };
    };
    answer: Procedure & { saved: string; redacted: string[]; reason?: string; } & { operation: string | null; notices?: string[]; };
  };
  /** Archive a procedure, which frees its name. */
  "DELETE /api/procedures/{name}": {
    takes: {
      path: {
        name: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Procedure & { operation: string | null; notices?: string[]; };
  };
  /** Record how a procedure went, as an outcome of its memory. */
  "POST /api/procedures/{name}/outcomes": {
    takes: {
      path: {
        name: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        result: "worked" | "partial" | "failed";
        evidence?: string;
      };
    };
    answer: Judged & { operation: string | null; notices?: string[]; };
  };
  /** List the tasks of the project, and the memories of completed ones that await a report. */
  "GET /api/tasks": {
    takes: {
      query?: {
        status?: ("open" | "in_progress" | "blocked" | "deferred" | "completed" | "cancelled" | "other")[];
        source?: ("beads" | "claude")[];
        list?: string;
        limit?: number;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      items: Task[];
      next: string | null;
      total: number | null;
      to_report: Task[];
      origins: TaskOrigin[];
      notices?: string[];
    };
  };
  /** Return a task with the memories linked to it; never counts as use. */
  "GET /api/tasks/{task_id}": {
    takes: {
      path: {
        task_id: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Task & { notices?: string[]; };
  };
  /** Link memories to a task. */
  "POST /api/tasks/{task_id}/memories": {
    takes: {
      path: {
        task_id: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        memory_ids: string[];
      };
    };
    answer: Task & { operation: string | null; notices?: string[]; };
  };
  /** Remove links of memories to a task. */
  "DELETE /api/tasks/{task_id}/memories": {
    takes: {
      path: {
        task_id: string;
      };
      query: {
        memory_ids: string[];
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Task & { operation: string | null; notices?: string[]; };
  };
  /** Propose an active memory for a person's approval. */
  "POST /api/memories/{memory_id}/propose": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
    };
    answer: { memory: Memory; redacted: string[]; hint?: string; operation: string | null; notices?: string[]; };
  };
  /** List the review queue. */
  "GET /api/review": {
    takes: {
      query?: {
        kinds?: ("held" | "proposed" | "question" | "conflict" | "similar" | "drifted" | "failing" | "doubtful" | "expired")[];
        limit?: number;
        cursor?: string;
        memory_ids?: string[];
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      items: Waiting[];
      next: string | null;
      total: number | null;
      by_kind: Record<string, number>;
      notices?: string[];
    };
  };
  /** Apply a decision to several items of the review queue as one operation, to all or to none. With `versions` they have to be still what was looked at. */
  "POST /api/review/decide": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        memory_ids: string[];
        kind: "held" | "proposed" | "question" | "conflict" | "similar" | "drifted" | "failing" | "doubtful" | "expired";
        decision: "approve" | "edit" | "keep" | "merge" | "supersede" | "drop" | "accept" | "renew" | "archive";
        versions?: Record<string, number>;
      };
    };
    answer: {
      items: { kind: Matter; decision: Decision; memories: Memory[]; redacted: string[]; }[];
      next: string | null;
      total: number | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Apply a decision to an item of the review queue; with `versions`, only if it is still what was looked at. */
  "POST /api/review/{memory_id}/decide": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        decision: "approve" | "edit" | "keep" | "merge" | "supersede" | "drop" | "accept" | "renew" | "archive";
        other?: string;
        text?: "fuller" | "new" | "known";
        content?: string;
        kind?: "held" | "proposed" | "question" | "conflict" | "similar" | "drifted" | "failing" | "doubtful" | "expired";
        versions?: Record<string, number>;
      };
    };
    answer: {
      kind: Matter;
      decision: Decision;
      memories: Memory[];
      redacted: string[];
      operation: string | null;
      notices?: string[];
    };
  };
  /** List the versions of a memory, newest first, each with what it changed. */
  "GET /api/memories/{memory_id}/history": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        limit?: number;
        cursor?: string;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { id: string; versions: Version[]; next: string | null; notices?: string[]; };
  };
  /** Make an old version the newest one. */
  "POST /api/memories/{memory_id}/revert": {
    takes: {
      path: {
        memory_id: string;
      };
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        to: number;
      };
    };
    answer: Memory & { operation: string | null; notices?: string[]; };
  };
  /** List the last operations, newest first. */
  "GET /api/operations": {
    takes: {
      query?: {
        limit?: number;
        since?: string;
        until?: string;
        cursor?: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: Operation[]; next: string | null; total: number | null; notices?: string[]; };
  };
  /** Undo one operation, as a new one. */
  "POST /api/operations/{operation}/undo": {
    takes: {
      path: {
        operation: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
    };
    answer: {
      undoes: string;
      memories: Memory[];
      actions: Record<string, number>;
      projects: (string | null)[];
      notes: string[];
      passed_over: PassedOver[];
      operation: string | null;
      notices?: string[];
    };
  };
  /** List the last entries of the audit log, newest first. */
  "GET /api/audit": {
    takes: {
      query?: {
        limit?: number;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: AuditEntry[]; next: string | null; total: number | null; notices?: string[]; };
  };
  /** Compare the audit log with the memories. */
  "GET /api/audit/verdict": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Verdict & { notices?: string[]; };
  };
  /** Return the totals of the project and the global memories, or of the whole store. */
  "GET /api/stats": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Stats & { notices?: string[]; };
  };
  /** Return the reports of each week, and how many memories were added, archived and given. */
  "GET /api/stats/weekly": {
    takes: {
      query?: {
        weeks?: number;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: Weekly & { notices?: string[]; };
  };
  /** Sum up the project: what is known, what waits, how it went lately, and what to do next. */
  "GET /api/overview": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      stats: Stats;
      recent_outcomes: Record<string, number>;
      waiting: Record<string, number>;
      handoff: Handoff | null;
      next: NextStep[];
      notices?: string[];
    };
  };
  /** Sum up what the reports of some weeks say; never counts as use. */
  "GET /api/insights": {
    takes: {
      query?: {
        weeks?: number;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      weeks: number;
      since: string;
      asked: number;
      reports: Reports;
      enough: boolean;
      worked: number | null;
      questions: number;
      first: number | null;
      first_without: number | null;
      weekly: { week: string; reports: Reports; questions: number; right: number; right_without: number; }[];
      moved: ({
        id: string;
        content: string;
        category: Category;
        project: string | null;
        tier: Tier;
        scope: string[];
        tags: string[];
        priority: Priority;
        source: Source;
        confidence: number;
        outcome_score: number;
        worked: number;
        partial: number;
        failed: number;
        status: Status;
        created_at: string;
        updated_at: string;
        reason?: Reason | null;
        question: string;
        before: number;
        now: number;
        reports: Reports;
      })[];
      by_source: SourceCounts[];
      in_vain: InVain[];
      funnel: Funnel;
      limited: boolean;
      note: string;
      notices?: string[];
    };
  };
  /** Return what changed in the store since a position, by any process; never counts as use. */
  "GET /api/changes": {
    takes: {
      query?: {
        cursor?: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      position: string;
      memories: string[];
      actions: Record<string, number>;
      more: boolean;
      reload: boolean;
      notices?: string[];
    };
  };
  /** Return the positions of the project's active memories, in a compact binary form. */
  "GET /api/map": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: ArrayBuffer;
  };
  /** Return the groups on the map with the words that set them apart, and the state of the map. */
  "GET /api/map/labels": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      state: "ready" | "computing" | "outdated" | "no_model";
      sentence: string | null;
      generation: string | null;
      memories: number;
      unplaced: number;
      labels: { x: number; y: number; memories: number; words: string[]; }[];
      notices?: string[];
    };
  };
  /** Return the memories at rows of the map; never counts as use. */
  "GET /api/map/memories": {
    takes: {
      query: {
        row: number[];
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: { row: number; memory: Memory; }[]; notices?: string[]; };
  };
  /** List the tokens of programs, without their secrets. */
  "GET /api/tokens": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: AccessToken[]; next: string | null; total: number | null; notices?: string[]; };
  };
  /** Make a token for a program; its secret is in this answer only. */
  "POST /api/tokens": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        name: string;
        role?: "reader" | "writer" | "admin";
        expires?: string;
      };
    };
    answer: { token: AccessToken; secret: string; operation: string | null; notices?: string[]; };
  };
  /** Revoke a token; running servers refuse it at once. */
  "DELETE /api/tokens/{token}": {
    takes: {
      path: {
        token: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: AccessToken & { operation: string | null; notices?: string[]; };
  };
  /** Show who the caller is, and what it may do. */
  "GET /api/session": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      role: string;
      name: string;
      is_person: boolean;
      confirmed_until: string | null;
      has_passphrase: boolean;
      passkeys: number;
      read_only: boolean;
      version: string;
      notices?: string[];
    };
  };
  /** End the session of the browser; others go on. */
  "DELETE /api/session": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: undefined;
  };
  /** Confirm by the passphrase that a person sits at the browser; it counts for 15 minutes. The page sends the `confirmation` of the answer as the header `Memory-Confirmation` with its requests. */
  "POST /api/session/passphrase": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
      body: {
        passphrase: string;
      };
    };
    answer: {
      role: string;
      name: string;
      is_person: boolean;
      confirmed_until: string | null;
      has_passphrase: boolean;
      passkeys: number;
      read_only: boolean;
      version: string;
      confirmation: string;
      notices?: string[];
    };
  };
  /** End the confirmation: the browser counts as an agent's again. */
  "DELETE /api/session/passphrase": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      role: string;
      name: string;
      is_person: boolean;
      confirmed_until: string | null;
      has_passphrase: boolean;
      passkeys: number;
      read_only: boolean;
      version: string;
      notices?: string[];
    };
  };
  /** List the registered passkeys. */
  "GET /api/passkeys": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      items: ({
        id: string;
        name: string;
        created_at: string;
        created_by: string;
        last_used_at: string | null;
        uses: number;
      })[];
      next: string | null;
      total: number | null;
      notices?: string[];
    };
  };
  /** Register the passkey that the browser has made; needs a confirmed person. */
  "POST /api/passkeys": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body: {
        name: string;
        credential: Record<string, unknown>;
      };
    };
    answer: {
      id: string;
      name: string;
      created_at: string;
      created_by: string;
      last_used_at: string | null;
      uses: number;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Begin to register a passkey: answer what `navigator.credentials.create` takes; needs a confirmed person. */
  "POST /api/passkeys/options": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
    };
    answer: { public_key: Record<string, unknown>; operation: string | null; notices?: string[]; };
  };
  /** Answer what `navigator.credentials.get` takes to sign a request, which is rehearsed and changes nothing. The request is then sent with the answer as the header `Memory-Passkey`: its JSON in base64url. */
  "POST /api/passkeys/challenge": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
      body: {
        method: "POST" | "PATCH" | "PUT" | "DELETE" | "GET";
        path: string;
        body?: unknown;
      };
    };
    answer: { public_key: Record<string, unknown>; notices?: string[]; };
  };
  /** Remove a passkey; its signatures stay valid. Needs a confirmed person. */
  "DELETE /api/passkeys/{passkey_id}": {
    takes: {
      path: {
        passkey_id: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      id: string;
      name: string;
      created_at: string;
      created_by: string;
      last_used_at: string | null;
      uses: number;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Say that the server answers; needs no token. */
  "GET /health": {
    takes: {
    };
    answer: Record<string, string>;
  };
  /** List the known projects with the number of their live memories. */
  "GET /api/projects": {
    takes: {
      query?: {
        limit?: number;
        cursor?: string;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { items: Project[]; next: string | null; total: number | null; notices?: string[]; };
  };
  /** Tidy the whole store, or the named project; None if it is not due. */
  "POST /api/consolidate": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body?: {
        dry_run?: boolean;
        if_due?: boolean;
      };
    };
    answer: {
      due: boolean;
      dry_run?: boolean;
      counts?: Record<string, number>;
      steps?: ConsolidationStep[];
      notice?: string | null;
      operation: string | null;
      notices?: string[];
    };
  };
  /** Check citations, follow lines that moved, and queue what changed for review. */
  "POST /api/verify": {
    takes: {
      query?: {
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
        "Idempotency-Key"?: string;
      };
      body?: {
        memory_ids?: string[];
        everything?: boolean;
        dry_run?: boolean;
      };
    };
    answer: {
      dry_run: boolean;
      memories: number;
      counts: Record<string, number>;
      findings: ({
        memory: string;
        content: string;
        state: SourceState;
        path?: string | null;
        first_line?: number | null;
        last_line?: number | null;
        url?: string;
        now?: { path?: string | null; first_line?: number | null; last_line?: number | null; url?: string; };
      })[];
      operation: string | null;
      notices?: string[];
    };
  };
  /** Export everything, or a project with `project`, as a file; an agent may be refused. */
  "GET /api/export": {
    takes: {
      query?: {
        format?: string;
        category?: string[];
        statuses?: ("staged" | "active" | "archived")[];
        tier?: ("semantic" | "episodic" | "procedural")[];
        tags?: string[];
        scope?: string[];
        path?: string[];
        source?: ("human" | "agent" | "import" | "capture" | "run" | "learning")[];
        reason?: ("writing" | "question" | "review" | "outcome" | "confidence" | "expired" | "faded" | "asked" | "merged" | "skipped" | "undone" | "forgotten")[];
        writer?: string[];
        min_confidence?: number;
        below_confidence?: number;
        created_before?: string;
        created_after?: string;
        has_outcome?: boolean;
        id?: string[];
        expired?: boolean;
        expired_since?: string;
        superseded?: boolean;
        proposed?: boolean;
        drifted?: boolean;
        priority?: ("critical" | "high" | "medium" | "normal")[];
        vectors?: boolean;
        project?: string;
        global?: boolean;
        all?: boolean;
      };
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: string;
  };
  /** Check the store for damage and the agents' connections; nothing is changed. */
  "GET /api/health": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: { ok: boolean; checks: Check[]; agents: Connection[]; notices?: string[]; };
  };
  /** List the settings with their values, where these come from, and what they mean. */
  "GET /api/settings": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      items: { key: string; value: unknown; origin: string; default: unknown; unset: string; meaning: string; }[];
      next: string | null;
      total: number | null;
      notices?: string[];
    };
  };
  /** List the categories with their families and meanings. */
  "GET /api/categories": {
    takes: {
      headers?: {
        "Memory-Session"?: string;
        "Memory-Agent"?: string;
      };
    };
    answer: {
      items: ({
        name: Category;
        family: Family;
        aliases: string[];
        meaning: string;
        priority: Priority;
        expires_days: number | null;
      })[];
      next: string | null;
      total: number | null;
      notices?: string[];
    };
  };
}

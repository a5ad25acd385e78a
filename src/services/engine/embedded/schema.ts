/** What a database of ours says of itself, so that a foreign one is not taken for it: "fact" in ASCII. */
export const APPLICATION_ID = 0x66616374;

/**
 * Numbered steps, each done once and in one transaction. A step that has shipped is never changed: add another.
 * Lists stand in a table of their own, because SQLite writes a whole row anew for each change of it.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO counter VALUES ('event', 0), ('fence', 0);

  CREATE TABLE run (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL UNIQUE,
    key TEXT,
    queue TEXT NOT NULL,
    priority INTEGER NOT NULL,
    source TEXT NOT NULL,
    caller TEXT NOT NULL,
    name TEXT,
    mode TEXT NOT NULL,
    dry_run INTEGER NOT NULL,
    plan_hash TEXT,
    parent TEXT,
    versions TEXT NOT NULL,
    tags TEXT,
    state TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    max_attempts INTEGER NOT NULL,
    fence INTEGER NOT NULL,
    owner TEXT,
    lease_until INTEGER,
    cancel_requested INTEGER NOT NULL DEFAULT 0,
    run_at INTEGER NOT NULL,
    submitted_at INTEGER NOT NULL,
    started_at INTEGER,
    ended_at INTEGER,
    duration_ms REAL,
    counts TEXT,
    error TEXT,
    ended_event INTEGER
  );
  CREATE UNIQUE INDEX run_key ON run (caller, key) WHERE key IS NOT NULL;
  CREATE INDEX run_queued ON run (priority DESC, seq, run_at, queue) WHERE state = 'queued';
  CREATE INDEX run_running ON run (lease_until) WHERE state = 'running';
  CREATE INDEX run_dead ON run (submitted_at DESC, seq DESC, queue) WHERE state = 'dead';
  CREATE INDEX run_indeterminate ON run (submitted_at DESC, seq DESC) WHERE state = 'indeterminate';
  CREATE INDEX run_newest ON run (submitted_at DESC, seq DESC);

  CREATE TABLE request (seq INTEGER PRIMARY KEY, body TEXT NOT NULL, options TEXT NOT NULL);

  CREATE TABLE node (
    run_seq INTEGER NOT NULL,
    idx INTEGER NOT NULL,
    node_id TEXT,
    action TEXT,
    state TEXT NOT NULL,
    attempt INTEGER NOT NULL,
    idempotent INTEGER,
    result TEXT,
    error TEXT,
    detail TEXT,
    truncated INTEGER,
    started_at INTEGER,
    duration_ms REAL,
    event INTEGER NOT NULL,
    PRIMARY KEY (run_seq, idx)
  );

  CREATE TABLE fire (name TEXT NOT NULL, slot INTEGER NOT NULL, run_id TEXT, at INTEGER NOT NULL, PRIMARY KEY (name, slot)) WITHOUT ROWID;

  CREATE TABLE schedule (
    name TEXT PRIMARY KEY,
    cron TEXT NOT NULL,
    tz TEXT,
    body TEXT NOT NULL,
    options TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    last_slot INTEGER,
    last_run_id TEXT,
    runs INTEGER NOT NULL,
    skipped INTEGER NOT NULL
  );

  CREATE TABLE watcher (
    name TEXT PRIMARY KEY,
    path TEXT NOT NULL,
    body TEXT NOT NULL,
    options TEXT NOT NULL,
    enabled INTEGER NOT NULL,
    created_at INTEGER NOT NULL
  );

  CREATE TABLE ledger (
    watcher TEXT NOT NULL,
    path TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    PRIMARY KEY (watcher, path)
  ) WITHOUT ROWID;

  CREATE TABLE lock (name TEXT PRIMARY KEY, owner TEXT NOT NULL, fence INTEGER NOT NULL, until INTEGER) WITHOUT ROWID;

  CREATE TABLE transfer (key TEXT PRIMARY KEY, state TEXT NOT NULL, updated_at INTEGER NOT NULL);

  CREATE TABLE sent (digest TEXT PRIMARY KEY, sent_at INTEGER NOT NULL, held_back INTEGER NOT NULL) WITHOUT ROWID;

  CREATE TABLE outbox (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    sink TEXT NOT NULL,
    payload TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    due_at INTEGER,
    error TEXT
  );
  CREATE INDEX outbox_due ON outbox (due_at) WHERE due_at IS NOT NULL;

  CREATE TABLE undo (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    run_id TEXT NOT NULL,
    idx INTEGER NOT NULL,
    inverse TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    state TEXT NOT NULL,
    at INTEGER NOT NULL
  );
  CREATE INDEX undo_run ON undo (run_id);

  CREATE TABLE approval (
    plan_hash TEXT NOT NULL,
    caller TEXT NOT NULL,
    summary TEXT NOT NULL,
    proposed_at INTEGER NOT NULL,
    approved_by TEXT,
    approved_at INTEGER,
    expires_at INTEGER,
    PRIMARY KEY (plan_hash, caller)
  ) WITHOUT ROWID;

  CREATE TABLE audit (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    action TEXT NOT NULL,
    caller TEXT,
    run_id TEXT,
    payload TEXT NOT NULL,
    result TEXT,
    error TEXT,
    duration_ms REAL
  );
  CREATE INDEX audit_at ON audit (at);

  CREATE TABLE state (kind TEXT NOT NULL, name TEXT NOT NULL, state TEXT NOT NULL, PRIMARY KEY (kind, name)) WITHOUT ROWID;
  `,
  // However a run ends, what its list held of secrets goes with that. A dead letter has not ended: it may be wanted again, as it was.
  `
  CREATE TABLE kept (seq INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE TRIGGER run_over AFTER UPDATE OF state ON run WHEN new.state IN ('ok', 'failed', 'cancelled') BEGIN
    UPDATE request SET body = (SELECT body FROM kept WHERE seq = new.seq), options = json_patch(options, '{"masked":true}')
    WHERE seq IN (SELECT seq FROM kept WHERE seq = new.seq);
    DELETE FROM kept WHERE seq = new.seq;
  END;
  `,
  // Looking for runs. What stands in lists is indexed by threes of letters, by and by (runs/text-index.ts), so that a long history does
  // not hold up a start: runs up to the counter are in it, but for those that were not over then, which are to be added later. Runs that
  // ended well have no index of their own: nearly all do, so that the newest are found at once and every run would pay for it.
  `
  CREATE INDEX run_caller ON run (caller, submitted_at DESC, seq DESC);
  CREATE INDEX run_failed ON run (submitted_at DESC, seq DESC) WHERE state = 'failed';
  CREATE INDEX run_undo ON run (submitted_at DESC, seq DESC) WHERE source = 'undo';
  CREATE INDEX run_cancelled ON run (submitted_at DESC, seq DESC) WHERE state = 'cancelled';
  CREATE VIRTUAL TABLE run_text USING fts5 (text, content = '', contentless_delete = 1, tokenize = 'trigram', detail = 'none');
  CREATE TABLE text_later (seq INTEGER PRIMARY KEY, is_long INTEGER NOT NULL);
  INSERT INTO counter VALUES ('text', 0);
  CREATE TRIGGER run_gone AFTER DELETE ON run BEGIN
    DELETE FROM run_text WHERE rowid = old.seq;
    DELETE FROM text_later WHERE seq = old.seq;
  END;
  `,
  // Callers with limits have a share of the store (runs/stored-bytes.ts): what is kept of each run of theirs, and in all. Their queued
  // runs take turns, so that is how queued runs are found.
  `
  DROP INDEX run_queued;
  CREATE INDEX run_queued ON run (caller, priority DESC, seq, run_at, queue) WHERE state = 'queued';
  CREATE TABLE caller_bytes (caller TEXT PRIMARY KEY, bytes INTEGER NOT NULL, most INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE run_bytes (seq INTEGER PRIMARY KEY, caller TEXT NOT NULL, bytes INTEGER NOT NULL);
  CREATE TRIGGER run_bytes_more AFTER INSERT ON run_bytes BEGIN
    UPDATE caller_bytes SET bytes = bytes + new.bytes WHERE caller = new.caller;
  END;
  CREATE TRIGGER run_bytes_other AFTER UPDATE OF bytes ON run_bytes BEGIN
    UPDATE caller_bytes SET bytes = bytes + new.bytes - old.bytes WHERE caller = new.caller;
  END;
  CREATE TRIGGER run_bytes_less AFTER DELETE ON run_bytes BEGIN
    UPDATE caller_bytes SET bytes = max(0, bytes - old.bytes) WHERE caller = old.caller;
  END;
  CREATE TRIGGER run_bytes_gone AFTER DELETE ON run BEGIN
    DELETE FROM run_bytes WHERE seq = old.seq;
  END;
  CREATE INDEX audit_limited ON audit (caller, at) WHERE caller <> 'owner';
  CREATE TRIGGER audit_more AFTER INSERT ON audit WHEN new.caller <> 'owner' BEGIN
    UPDATE caller_bytes SET bytes = bytes + 100 + length(new.payload) + coalesce(length(new.result), 0) WHERE caller = new.caller;
  END;
  CREATE TRIGGER audit_less AFTER DELETE ON audit WHEN old.caller <> 'owner' BEGIN
    UPDATE caller_bytes SET bytes = max(0, bytes - 100 - length(old.payload) - coalesce(length(old.result), 0)) WHERE caller = old.caller;
  END;
  `,
];

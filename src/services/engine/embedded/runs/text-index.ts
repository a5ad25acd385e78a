import type { RunState } from '../../port/runs.ts';
import type { Tools } from '../repository.ts';

type Db = Tools['db'];

/** Runs that are added at once, so that nobody waits long for the store. */
const SLICE = 100;
/** Longer lists are looked through instead: adding one would hold up everybody else. */
const MAX_BYTES = 65_536;
/** Their text is final, and free of secrets. */
const OVER: ReadonlySet<RunState> = new Set(['ok', 'failed', 'cancelled']);

interface TextRow {
  readonly seq: number;
  readonly state: RunState;
  readonly text: string | null;
}

/** Adds some of the runs whose lists are not in the index yet; answers how many it looked at. */
export const indexSlice = ({ db }: Tools): number => {
  const rows = db.all<TextRow>(
    `SELECT seq, state, iif(octet_length(body) > ${MAX_BYTES}, NULL, ${TEXT}) AS text
     FROM run CROSS JOIN request USING (seq) WHERE run.seq > ? ORDER BY run.seq LIMIT ${SLICE}`,
    indexedUpTo(db),
  );
  for (const { seq, state, text } of rows) {
    if (text !== null && OVER.has(state)) add(db, seq, text);
    else db.run('INSERT OR IGNORE INTO text_later (seq, is_long) VALUES (?, ?)', seq, Number(text === null));
  }
  const last = rows.at(-1);
  if (last === undefined) return addLater(db);
  db.run("UPDATE counter SET value = ? WHERE name = 'text'", last.seq);
  return rows.length;
};

/** Remembers a run whose turn may have passed before it came: its number was kept for it. It is looked through. */
export const indexLate = ({ db }: Tools, seq: number): void => {
  if (seq <= indexedUpTo(db)) db.run('INSERT OR IGNORE INTO text_later (seq, is_long) VALUES (?, 1)', seq);
};

/** Runs that were not over when their turn came, and are by now. */
const addLater = (db: Db): number => {
  const rows = db.all<TextRow>(
    `SELECT seq, state, ${TEXT} AS text FROM text_later CROSS JOIN run USING (seq) CROSS JOIN request USING (seq)
     WHERE is_long = 0 AND state IN ('ok', 'failed', 'cancelled') LIMIT ${SLICE}`,
  );
  for (const { seq, text } of rows) {
    add(db, seq, text ?? '');
    db.run('DELETE FROM text_later WHERE seq = ?', seq);
  }
  return rows.length;
};

const TEXT = "(body || char(10) || coalesce(name, ''))";

const add = (db: Db, seq: number, text: string): void => void db.run('INSERT INTO run_text (rowid, text) VALUES (?, ?)', seq, text);

/** The last run that the index was made for. */
export const indexedUpTo = (db: Db): number => db.get<{ value: number }>("SELECT value FROM counter WHERE name = 'text'")?.value ?? 0;

/** What the index is asked for a text: all its threes of letters, in whatever order; undefined where it is too short for one. */
export const threesOf = (text: string): string | undefined => {
  const letters = [...text].slice(0, MOST_ASKED);
  const threes = new Set(letters.slice(2).map((last, at) => `${letters[at]}${letters[at + 1]}${last}`));
  return threes.size === 0 ? undefined : [...threes].map((three) => `"${three.replaceAll('"', '""')}"`).join(' AND ');
};

/** Long texts are found by their beginning; the rest is compared. */
const MOST_ASKED = 64;

import { StoreException } from '../../../../core/errors.ts';
import type { FinishedRun } from '../../port/runs.ts';
import type { Tools } from '../repository.ts';
import { writeCommands } from './command-rows.ts';
import { removeParts } from './kept.ts';

/** A piece of the record of a run: of the text of its list, or some of its commands. */
export type DraftPiece = { readonly text: string } | { readonly commands: FinishedRun['commands'] };

/** A record of which all pieces have come. */
export interface Draft {
  /** The number that is kept for the run. */
  readonly seq: number;
  readonly body: string;
}

export interface Drafts {
  /** Takes the piece with this number; the first one has 0 and begins anew. */
  add(runId: string, at: number, piece: DraftPiece): void;
  /** Ends a draft: what was written of it is the run's from now on. */
  take(runId: string): Draft;
}

interface Open {
  readonly seq: number;
  readonly texts: string[];
  pieces: number;
}

// A draft is named in `meta` until its run is there, so that what a killed process left of one is found. Nobody sees its commands before:
// everything that is shown starts from the row of a run.
const PREFIX = 'draft:';

/**
 * Records that come in pieces. The commands of a long list, written at once, would hold up everybody else who has something for the store:
 * so they are written under a number that is kept for the run, some at a time, and the run itself last.
 */
export const createDrafts = (tools: Tools): Drafts => {
  const { db } = tools;
  const open = new Map<string, Open>();

  const begin = (runId: string): Open => {
    const known = db.get<{ value: string }>('SELECT value FROM meta WHERE name = ?', PREFIX + runId);
    const seq = known === undefined ? keepNumber(tools) : Number(known.value);
    if (known === undefined) db.run('INSERT INTO meta (name, value) VALUES (?, ?)', PREFIX + runId, String(seq));
    else removeParts(db, seq);
    const draft = { seq, texts: [], pieces: 0 };
    open.set(runId, draft);
    return draft;
  };

  return {
    add(runId, at, piece) {
      const draft = at === 0 ? begin(runId) : open.get(runId);
      if (draft?.pieces !== at) throw incomplete(runId);
      draft.pieces += 1;
      if ('text' in piece) draft.texts.push(piece.text);
      else writeCommands(tools, { seq: draft.seq, attempt: 1 }, piece.commands);
    },
    take(runId) {
      const draft = open.get(runId);
      if (draft === undefined) throw incomplete(runId);
      open.delete(runId);
      db.run('DELETE FROM meta WHERE name = ?', PREFIX + runId);
      return { seq: draft.seq, body: draft.texts.join('') };
    },
  };
};

/** Deletes what a process that was killed left of records in pieces. */
export const sweepDrafts = ({ db }: Pick<Tools, 'db'>): void => {
  for (const { name, value } of db.all<{ name: string; value: string }>(`SELECT name, value FROM meta WHERE name GLOB '${PREFIX}*'`)) {
    removeParts(db, Number(value));
    db.run('DELETE FROM meta WHERE name = ?', name);
  }
};

/** Takes the next number of a run for one that comes later. */
const keepNumber = ({ db }: Tools): number => {
  db.run("INSERT INTO sqlite_sequence (name, seq) SELECT 'run', 0 WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = 'run')");
  const row = db.get<{ seq: number }>("UPDATE sqlite_sequence SET seq = seq + 1 WHERE name = 'run' RETURNING seq");
  return row?.seq ?? 0;
};

const incomplete = (runId: string): StoreException =>
  new StoreException(`Some of the record of run ${runId} has not come; send all of it again.`, {
    context: { run_id: runId },
    retryable: true,
  });

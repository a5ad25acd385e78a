import type { Caller } from '../../../../access/caller.ts';
import type { Masker } from '../../../../access/mask.ts';
import type { RunNews, Runs } from '../../../../core/ports/runs.ts';
import { entryOf, summaryOf } from './wire.ts';

/** Some events of a run, ready to be sent. */
export interface Piece {
  readonly content: Uint8Array;
  /** The last event in it: where to go on. */
  readonly last: number;
  /** Nothing follows: the run is over. */
  readonly isEnd: boolean;
}

export interface PiecesOptions {
  readonly runs: Pick<Runs<Caller>, 'events'>;
  readonly masker: Pick<Masker, 'known'>;
}

/** Events in one piece. */
const MOST_EVENTS = 200;
/** Bytes that are kept for whoever comes next, and for how long. */
const MOST_KEPT_BYTES = 8 * 1024 * 1024;
const KEPT_MS = 1_000;

/** What happened after an event; undefined where nothing has. Made once for all who ask for the same at about the same time. */
export const createPieces = ({ runs, masker }: PiecesOptions): ((runId: string, after: number) => Promise<Piece | undefined>) => {
  const asked = new Map<string, Promise<Piece | undefined>>();
  const kept = new Map<string, { readonly piece: Piece; readonly untilMs: number }>();
  let keptBytes = 0;

  const drop = (key: string): void => {
    keptBytes -= kept.get(key)?.piece.content.length ?? 0;
    kept.delete(key);
  };

  const keep = (key: string, piece: Piece): void => {
    drop(key);
    kept.set(key, { piece, untilMs: performance.now() + KEPT_MS });
    keptBytes += piece.content.length;
    // The oldest come first, so whoever follows an old one is younger.
    for (const [oldest, { untilMs }] of kept) {
      if (keptBytes <= MOST_KEPT_BYTES && untilMs > performance.now()) break;
      drop(oldest);
    }
  };

  const make = async (key: string, runId: string, after: number): Promise<Piece | undefined> => {
    const news = await runs.events(runId, after, MOST_EVENTS);
    const last = news.at(-1);
    if (last === undefined) return undefined;
    const text = news.map((each) => eventText(masker, each.kind, dataOf(each), each.id)).join('');
    const piece = { content: Buffer.from(text), last: last.id, isEnd: last.kind === 'done' };
    keep(key, piece);
    return piece;
  };

  return async (runId, after) => {
    const key = `${runId} ${after}`;
    const known = kept.get(key);
    if (known !== undefined && known.untilMs > performance.now()) return known.piece;
    const asking = asked.get(key) ?? make(key, runId, after).finally(() => asked.delete(key));
    asked.set(key, asking);
    return asking;
  };
};

/** One event as it is sent. */
export const eventText = (masker: Pick<Masker, 'known'>, event: string, data: unknown, id?: number): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${JSON.stringify(masker.known(data))}\n\n`;

const dataOf = (news: RunNews) => (news.kind === 'command' ? entryOf(news.command) : summaryOf(news.run));

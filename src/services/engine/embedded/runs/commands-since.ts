import type { CommandRecord } from '../../port/runs.ts';
import type { Tools } from '../repository.ts';
import { readCommand } from './command-rows.ts';
import type { RunRow } from './run-row.ts';

/** A command and the event that told of it last. */
interface Told {
  readonly id: number;
  readonly idx: number;
}

type Since = (run: RunRow, after: number, limit: number) => readonly { readonly id: number; readonly command: CommandRecord }[];

/** Orders that are remembered: followers of one run ask for piece after piece. */
const REMEMBERED = 8;
/** A piece ends here even where more was asked for: one value may have a million letters. */
const MOST_LETTERS = 1_000_000;

/** What happened to commands after an event, in the order it happened. Of a run that is over the order is found once for all pieces. */
export const createCommandsSince = (tools: Tools): Since => {
  const orders = new Map<string, readonly Told[]>();

  const orderOf = ({ seq, fence, ended_event }: RunRow): readonly Told[] => {
    const key = `${seq}.${fence}.${ended_event}`;
    const order = orders.get(key) ?? read(tools, seq, 0, Number.MAX_SAFE_INTEGER);
    orders.delete(key);
    orders.set(key, order);
    for (const oldest of orders.keys()) if (orders.size > REMEMBERED) orders.delete(oldest);
    return order;
  };

  return (run, after, limit) => {
    const wanted = run.ended_event === null ? read(tools, run.seq, after, limit) : piece(orderOf(run), after, limit);
    const found: { id: number; command: CommandRecord }[] = [];
    let letters = 0;
    for (const { id, idx } of wanted) {
      const row = readCommand(tools, run.seq, idx);
      if (row === undefined) continue;
      found.push({ id, command: row.command });
      letters += row.letters;
      if (letters > MOST_LETTERS && limit < Number.MAX_SAFE_INTEGER) break;
    }
    return found;
  };
};

const read = ({ db }: Tools, seq: number, after: number, limit: number): readonly Told[] =>
  db.all<Told>('SELECT event AS id, idx FROM node WHERE run_seq = ? AND event > ? ORDER BY event LIMIT ?', seq, after, limit);

const piece = (order: readonly Told[], after: number, limit: number): readonly Told[] => {
  const first = firstAfter(order, after);
  return order.slice(first, first + limit);
};

const firstAfter = (order: readonly Told[], after: number): number => {
  let [low, high] = [0, order.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((order[middle]?.id ?? 0) > after) high = middle;
    else low = middle + 1;
  }
  return low;
};

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { boundedMap } from '../../../../src/lib/async/bounded-map.ts';
import { storeFileIn } from '../../../../src/services/engine/embedded/embedded-store.ts';
import { spoolRun } from '../../../../src/services/engine/spool/spool-run.ts';
import { type TempDir, tempDir } from '../../../support/temp-dir.ts';
import type { RunningTrial } from '../../../support/trials/trial.ts';
import { binOf, builtPackage } from '../../cli/built.ts';
import { finished } from '../../store/contract/suite.ts';

/** The commands that open doors with a socket. */
export const DOORS = ['serve', 'http-server', 'server', 'metrics'] as const;
export type Door = (typeof DOORS)[number];

const AT_ONCE = 3;
const SPOOLED = 40;

/** How a process ended and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** A command under way. */
export interface Process {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  /** Resolves with what it has written to either stream once that fits; rejects where it ends before. */
  hasSaid(words: RegExp): Promise<RegExpExecArray>;
}

export interface StartOptions {
  readonly state?: string;
  /** A program, with its words, that runs the command. */
  readonly through?: readonly string[];
  /** Where standard output goes instead of to us. */
  readonly stdout?: number;
}

/** A directory of its own for one process, whose store has much to do at the start: its writer's thread takes runs in from the spool. */
export const openPlace = (config = ''): TempDir => {
  const dir = tempDir({ 'factotum.toml': config });
  for (let at = 0; at < SPOOLED; at += 1) spoolRun(dir.at('state/factotum'), finished(`spooled-${at}`));
  return dir;
};

/** Starts a command of ours in a place. */
export const start = (
  dir: TempDir,
  words: readonly string[],
  { state = dir.at('state'), through = [], stdout }: StartOptions = {},
): Process => {
  const [program = '', ...rest] = [...through, process.execPath, binOf(builtPackage), ...words];
  const child = spawn(program, rest, {
    cwd: dir.path,
    env: { PATH: process.env.PATH, HOME: dir.path, LANG: 'C.UTF-8', XDG_STATE_HOME: state },
    stdio: ['pipe', stdout ?? 'pipe', 'pipe'],
  });
  child.stdin?.on('error', () => {}); // it may be gone before it reads
  const said = { out: '', err: '' };
  let look = () => {};
  const listen = (stream: NodeJS.ReadableStream | null, to: keyof typeof said) =>
    stream?.on('data', (chunk) => {
      said[to] += chunk;
      look();
    });
  listen(child.stdout, 'out');
  listen(child.stderr, 'err');
  const ended = once(child, 'close').then(
    ([code, signal]): Ended => ({ code, signal, out: said.out, err: said.err.replaceAll(dir.path, '.') }),
  );
  return {
    child,
    ended,
    hasSaid: (words) =>
      new Promise((resolve, reject) => {
        look = () => {
          const found = words.exec(said.out) ?? words.exec(said.err);
          if (found !== null) resolve(found);
        };
        look();
        void ended.then(({ code, err }) => reject(new Error(`It ended with ${code} and never said ${words}: ${err}`)));
      }),
  };
};

/** The words that open a door alone, on any free port unless told otherwise. */
export const doorWords = (door: Door, port = 0): readonly string[] => [
  door,
  ...(door === 'serve' ? ['--no-tcp'] : []),
  '--port',
  String(port),
];

/** Some moments of a start, by what it leaves on the disk. */
export const momentOf = async (turn: number, dir: TempDir, ended: Promise<unknown>): Promise<void> => {
  const store = storeFileIn(dir.at('state/factotum'));
  const file = [undefined, store, `${store}-wal`, `${store}-serving`][turn % 4];
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  while (file !== undefined && !existsSync(file) && !isOver) await new Promise(setImmediate);
};

/** One round of a trial: which of its things it is about, and how often that thing had its turn before. */
export interface Round<T> {
  readonly which: T;
  readonly turn: number;
}

/** Does the same to things in turn, some at once, as often as the trial says; answers every way in which it ended, with how often. */
export const waysOf = async <T>(
  trial: RunningTrial,
  things: readonly T[],
  work: (round: Round<T>) => Promise<Ended>,
): Promise<Readonly<Record<string, number>>> => {
  const ways: Record<string, number> = {};
  await boundedMap(
    Array.from({ length: trial.count }, (_, at) => at),
    AT_ONCE,
    async (at) => {
      // A short trial begins with another thing than its neighbours, so that together they come to all of them.
      const place = at + trial.number;
      const which = things[place % things.length] as T; // the rest of a division by its length
      const { code, signal, out, err } = await work({ which, turn: Math.floor(place / things.length) });
      const way = `${which}: ${signal ?? code} ${[out, err].join('|').replaceAll(/\d{4,5}/g, 'N')}`;
      ways[way] = (ways[way] ?? 0) + 1;
      trial.did();
    },
  );
  return ways;
};

/** The ways that are not as they should be. */
export const waysUnlike = (ways: Readonly<Record<string, number>>, wanted: RegExp): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(ways).filter(([way]) => !wanted.test(way)));

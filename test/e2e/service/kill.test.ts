import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test, vi } from 'vitest';
import type { RunRecord } from '../../../src/services/engine/port/runs.ts';
import { seeded } from '../../support/seeded.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { integrityOf } from '../store/integrity.ts';
import { type BusyPlace, eventOf, openBusyPlace, tickOf } from './busy-place.ts';
import { type Errand, goOn, newErrand } from './errands.ts';
import type { Served } from './served.ts';

const trial = trialOf('killed-services');
const KILLS = trial.count;
const SEED = Number(process.env.FACTOTUM_SEED ?? Date.now() % 1_000_000);
/** Services side by side: while one starts, the other one works. */
const LANES = 2;
const LONGEST_LIFE_MS = 300;
/** Some are killed while they start and take up what the life before has left. */
const SHARE_KILLED_EARLY = 0.15;
const LONGEST_START_MS = 400;
const ERRANDS_A_LIFE = 8;
const CLIENTS = 4;
const FILES_A_LIFE = 3;
const MINUTE_MS = 60_000;

/** What clients asked of a service in all its lives. */
interface Asked {
  readonly errands: readonly Errand[];
  readonly files: readonly string[];
}

/** Starts and kills a service again and again, then lets it finish everything. */
const liveThrough = async (place: BusyPlace, kills: number, random: () => number): Promise<Asked> => {
  const errands: Errand[] = [];
  const files: string[] = [];
  const firstMinute = Math.ceil(Date.now() / MINUTE_MS) * MINUTE_MS;
  /** Each life begins shortly before a full minute, so that schedules are due around its end. */
  const start = (life: number): Served =>
    place.start(firstMinute + life * MINUTE_MS - Math.round(random() * (LONGEST_START_MS + LONGEST_LIFE_MS)));
  const unanswered = () => errands.filter(({ kind, runId }) => kind !== 'plain' && runId === undefined);

  const keepBusy = async ({ url }: Served): Promise<void> => {
    const address = await url;
    for (let at = 0; at < FILES_A_LIFE; at += 1) {
      const name = `${files.length}.txt`;
      files.push(name);
      place.drop(name);
    }
    const fresh = Array.from({ length: ERRANDS_A_LIFE }, (_, at) => newErrand(errands.length + at));
    const toDo = [...unanswered(), ...fresh];
    errands.push(...fresh);
    const client = async () => {
      for (let errand = toDo.shift(); errand !== undefined; errand = toDo.shift()) await goOn(errand, address);
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
  };

  for (let life = 0; life < kills; life += 1) {
    await using served = start(life);
    const busy = keepBusy(served).catch(() => {}); // killed in the middle of it
    const isEarly = random() < SHARE_KILLED_EARLY;
    const lifeMs = random() * (isEarly ? LONGEST_START_MS : LONGEST_LIFE_MS);
    if (!isEarly) await served.url;
    await pause(lifeMs);
    await served.stop('SIGKILL');
    trial.did();
    await busy;
  }

  await using last = start(kills);
  const url = await last.url;
  const settle = async () => {
    for (const errand of unanswered()) await goOn(errand, url);
    expect(unanswered()).toEqual([]);
    const runs = await place.runs();
    expect(runs.filter(({ state }) => state === 'queued' || state === 'running').length).toBe(0);
    expect(filesIn(runs).length).toBeGreaterThanOrEqual(files.length);
    expect(minutesOf(runs, 'each')).toContain(firstMinute + kills * MINUTE_MS);
  };
  await vi.waitFor(settle, { timeout: 120_000, interval: 500 });
  expect(await last.stop('SIGTERM')).toBe(0);
  return { errands, files };
};

const filesIn = (runs: readonly RunRecord[]): string[] => runs.flatMap((run) => eventOf(run)?.files.map(({ relative }) => relative) ?? []);

const minutesOf = (runs: readonly RunRecord[], schedule: string): number[] =>
  runs.flatMap((run) => (run.source === 'schedule' && run.name === schedule ? [Date.parse(tickOf(run) ?? '')] : [])).sort((a, b) => a - b);

const repeatedIn = <T>(all: readonly T[]): T[] => all.filter((each, at) => all.indexOf(each) !== at);

/** Compares what was asked of a service with what it has done and what it says of that. */
const judge = async (place: BusyPlace, { errands, files }: Asked): Promise<readonly RunRecord[]> => {
  const runs = await place.runs();
  const marks = new Set(place.marks());
  const states = new Map(runs.map(({ runId, state }) => [runId, state]));
  const stateOf = ({ runId = '' }: Errand) => states.get(runId) ?? 'lost';
  const undone = (lines: readonly string[]) => lines.filter((line) => !marks.has(line));
  expect(repeatedIn(place.marks()), 'commands that ran twice').toEqual([]);
  expect(integrityOf(place.storeFile)).toBe('ok');

  // Every answer still holds.
  const answered = errands.filter(({ runId }) => runId !== undefined);
  expect(answered.filter((errand) => !['ok', 'indeterminate'].includes(stateOf(errand))).map(({ id }) => id)).toEqual([]);
  const finished = answered.filter((errand) => stateOf(errand) === 'ok');
  expect(undone(finished.flatMap(({ kind, marks: lines }) => (kind === 'item' ? [] : lines)))).toEqual([]);

  // What was put on the queue is there once; where nobody knows whether it was put there, at most once.
  const items = runs.filter(({ source }) => source === 'queue');
  const itemsOf = ({ marks: [first = ''] }: Errand) => items.filter(({ body }) => JSON.stringify(body).includes(first));
  const queued = finished.filter(({ kind }) => kind === 'item');
  expect(queued.filter((errand) => itemsOf(errand).length !== 1)).toEqual([]);
  expect(errands.filter((errand) => errand.kind === 'item' && itemsOf(errand).length > 1)).toEqual([]);
  expect(undone(queued.flatMap((errand) => (itemsOf(errand)[0]?.state === 'ok' ? errand.marks : [])))).toEqual([]);

  // Each file was handed over once.
  expect(filesIn(runs).sort()).toEqual([...files].sort());
  const handled = filesIn(runs.filter(({ state }) => state === 'ok'));
  expect(undone(handled.flatMap((name) => [`file ${name} first`, `file ${name} second`]))).toEqual([]);

  // Each minute was run once, and none was left out.
  const minutes = minutesOf(runs, 'each');
  const [first = 0] = minutes;
  expect(minutes).toEqual(minutes.map((_, at) => first + at * MINUTE_MS));
  expect(repeatedIn(minutesOf(runs, 'in-turn'))).toEqual([]);
  const ticked = runs.filter(({ source, state }) => source === 'schedule' && state === 'ok');
  expect(undone(ticked.map((run) => `tick ${run.name} ${tickOf(run)}`))).toEqual([]);
  return runs;
};

describe(`a service that is killed ${KILLS} times (FACTOTUM_SEED=${SEED})`, { timeout: 180_000 + KILLS * 6_000 }, () => {
  test('loses no acknowledged run and repeats no finished command that may not be repeated', async () => {
    const random = seeded(SEED);
    const live = async (): Promise<readonly RunRecord[]> => {
      using place = openBusyPlace();
      return await judge(place, await liveThrough(place, KILLS / LANES, seeded(random() * 2 ** 32)));
    };
    // Should one of them fail, the other is not left behind.
    const lanes = await Promise.allSettled(Array.from({ length: LANES }, live));
    const runs = lanes.flatMap((lane) => {
      if (lane.status === 'rejected') throw lane.reason;
      return lane.value;
    });
    // Otherwise nothing was put to the test.
    const count = (fits: (run: RunRecord) => boolean) => runs.filter(fits).length;
    expect(count(({ state }) => state === 'ok')).toBeGreaterThan(KILLS * 2);
    expect(count(({ state }) => state === 'indeterminate')).toBeGreaterThan(KILLS / 40);
    expect(count(({ attempt }) => attempt > 1)).toBeGreaterThan(KILLS / 40);
    for (const source of ['http', 'queue', 'watch', 'schedule']) expect(count((run) => run.source === source)).toBeGreaterThan(KILLS / 2);
  });
});

import { existsSync } from 'node:fs';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { storeFileIn } from '../../../../src/services/engine/embedded/embedded-store.ts';
import { trialOf } from '../../../support/trials/trial.ts';
import { DOORS, type Door, doorWords, momentOf, openPlace, start, waysOf, waysUnlike } from './processes.ts';

// A service that is told to stop ends with 0 and one message, whatever it is doing; one that is told twice does not wait.

const STOPS = ['SIGTERM', 'SIGINT'] as const;
const stopOf = (turn: number): NodeJS.Signals => STOPS[turn % STOPS.length] ?? 'SIGTERM';

/** What it says when it has opened its door and when it stops, and nothing else. */
const ENDED_WELL =
  /: 0 Listening on [^|]*\|Configured[^\n]*\n! No secret is set[^\n]*\nStopping what runs; press Ctrl-C again to quit at once\.\n$/;

const starting = trialOf('stopped-while-starting');
test('one that is stopped while it starts, at any moment, ends well or has not begun', async () => {
  const ways = await waysOf(starting, DOORS, async ({ which, turn }) => {
    using dir = openPlace();
    const { child, ended } = start(dir, doorWords(which));
    await momentOf(turn, dir, ended);
    child.kill(stopOf(Math.floor(turn / 4)));
    return await ended;
  });
  const wanted =
    /: (?:SIG(?:TERM|INT) \||0 (?:Listening[^|]*)?\|(?:Configured[^\n]*\n)?(?:! No secret[^\n]*\n)?Stopping what runs; [^\n]*\n)$/;
  expect(waysUnlike(ways, wanted)).toEqual({});
});

const hungUp = trialOf('hung-up-while-starting');
test('one that is told to read its configuration while it starts goes on, or has not begun', async () => {
  const ways = await waysOf(hungUp, DOORS, async ({ which, turn }) => {
    using dir = openPlace();
    const { child, ended, hasSaid } = start(dir, doorWords(which));
    await momentOf(turn, dir, ended);
    child.kill('SIGHUP');
    await hasSaid(/Try: |Listening on tcp/).catch(() => {}); // it had not begun
    child.kill(stopOf(turn));
    return await ended;
  });
  expect(waysUnlike(ways, new RegExp(`: SIGHUP \\||${ENDED_WELL.source}`))).toEqual({});
});

const idle = trialOf('stopped-while-idle');
test('one whose store is at work ends well', async () => {
  const ways = await waysOf(idle, DOORS, async ({ which, turn }) => {
    using dir = openPlace();
    const { child, ended, hasSaid } = start(dir, doorWords(which));
    await hasSaid(/No secret is set/);
    child.kill(stopOf(turn));
    return await ended;
  });
  expect(waysUnlike(ways, ENDED_WELL)).toEqual({});
});

/** Keeps a door busy until it closes; answers what it got instead of a good answer. */
const keepBusy = async (door: Door, port: number): Promise<string[]> =>
  (await Promise.all(Array.from({ length: 6 }, () => (door === 'server' ? sendLines(port) : sendRequests(door, port))))).flat();

/** Its record is written before it is answered, so that the store has something to do. */
const LIST = '[["FA_create_file", ["a.txt", "x"]], ["FA_queue_size"]]';

const sendRequests = async (door: Door, port: number): Promise<string[]> => {
  const place = `http://127.0.0.1:${port}/${door === 'metrics' ? 'metrics' : 'actions'}`;
  const list = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: LIST };
  for (;;) {
    try {
      const answer = await fetch(place, door === 'metrics' ? {} : list);
      const text = await answer.text();
      if (answer.status === 503) return []; // it stops
      if (answer.status !== 200 || text.includes('"failed":1')) return [`${answer.status} ${text}`];
    } catch {
      return []; // it has stopped
    }
  }
};

const sendLines = (port: number): Promise<string[]> =>
  new Promise((resolve) => {
    const wrong: string[] = [];
    const socket = connect(port, '127.0.0.1', () => socket.write(`${LIST}\n`));
    socket.on('data', (chunk) => {
      if (String(chunk).includes('"failed":1')) wrong.push(String(chunk));
      if (String(chunk).includes('\n') && !socket.writableEnded) socket.write(`${LIST}\n`);
    });
    socket.on('error', () => {}).on('close', () => resolve(wrong));
  });

const loaded = trialOf('stopped-under-load');
test('one with many requests under way answers what it has begun and ends well', async () => {
  const ways = await waysOf(loaded, DOORS, async ({ which, turn }) => {
    using dir = openPlace();
    const { child, ended, hasSaid } = start(dir, doorWords(which));
    const [, port] = await hasSaid(/Listening on \S+:(\d+)/);
    await hasSaid(/No secret is set/);
    const busy = keepBusy(which, Number(port));
    while (which !== 'metrics' && !existsSync(dir.at('a.txt'))) await new Promise(setImmediate);
    child.kill(stopOf(turn));
    const { err, ...rest } = await ended;
    return { ...rest, err: `${err}${(await busy).join()}` };
  });
  expect(waysUnlike(ways, ENDED_WELL)).toEqual({});
});

const twice = trialOf('stopped-twice');
test('one that is stopped twice ends with 130 at the latest', async () => {
  const ways = await waysOf(twice, DOORS, async ({ which }) => {
    using dir = openPlace();
    const { child, ended, hasSaid } = start(dir, doorWords(which));
    await hasSaid(/No secret is set/);
    child.kill('SIGINT');
    await hasSaid(/Stopping/).catch(() => {});
    child.kill('SIGINT');
    return await ended;
  });
  expect(waysUnlike(ways, /: (?:0|130|SIGINT) Listening on [\s\S]*Stopping what runs[^\n]*\n$/)).toEqual({});
});

const unheard = trialOf('stopped-unheard');
test('one whom nobody listens to any more goes on, and ends well when told', async () => {
  const ways = await waysOf(unheard, DOORS, async ({ which, turn }) => {
    using dir = openPlace();
    const { child, ended } = start(dir, doorWords(which));
    child.stdout?.destroy();
    if (turn % 2 === 1) child.stderr?.destroy();
    const serving = `${storeFileIn(dir.at('state/factotum'))}-serving`;
    while (!existsSync(serving) && child.exitCode === null) await new Promise(setImmediate);
    child.kill(stopOf(turn));
    return { ...(await ended), out: '', err: '' };
  });
  expect(waysUnlike(ways, /: 0 \|$/)).toEqual({});
});

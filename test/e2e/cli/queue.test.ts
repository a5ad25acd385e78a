import { expect, test } from 'vitest';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { startServed } from '../service/served.ts';
import { answerOf, factotum } from './built.ts';

/** A store in which runs have come to a stop. */
const openRoom = () => {
  const dir = tempDir({ 'w/log.txt': '' });
  const env = { XDG_STATE_HOME: dir.at('state'), XDG_CONFIG_HOME: dir.at('none') };
  return {
    dir,
    env,
    ask: (...words: string[]) => factotum(['queue', ...words], { cwd: dir.at('w'), env }),
    store: embeddedStore({ file: storeFileIn(dir.at('state/factotum')) }),
    async [Symbol.asyncDispose]() {
      await this.store.close();
      dir[Symbol.dispose]();
    },
  };
};

const ERROR = { type: 'DownloadException', message: 'The server is away.', retryable: true, context: {} };

test('lists what waits, and what was given up with the reason', async () => {
  await using room = openRoom();
  expect(room.ask().out).toBe('There are no such runs.\n');
  const { runId } = await room.store.submit({ source: 'queue', caller: 'owner', body: [['FA_stat', ['log.txt']]], name: 'mine' });
  expect(room.ask().out).toMatch(new RegExp(`^${runId}  queued .*queue/owner  mine\n$`));
  const [claim] = await room.store.claim({ worker: 'me', max: 1 });
  if (claim === undefined) throw new Error('Nothing was claimed.');
  await room.store.settle([{ ...claim, end: 'dead', error: ERROR }]);
  expect(room.ask().out).toBe('There are no such runs.\n');
  expect(room.ask('dead').out).toMatch(new RegExp(`^${runId}  dead .*\n  DownloadException: The server is away.\n$`));
});

test('has dead letters tried again, one or all', async () => {
  await using room = openRoom();
  for (const name of ['a', 'b', 'c']) await room.store.submit({ source: 'queue', caller: 'owner', body: [], name });
  const claims = await room.store.claim({ worker: 'me', max: 3 });
  await room.store.settle(claims.map((claim) => ({ ...claim, end: 'dead' as const, error: ERROR })));
  expect(room.ask('redrive')).toMatchObject({ code: 2, err: expect.stringContaining('Name one run, or take --all') });
  expect(room.ask('redrive', claims[0]?.runId ?? '').out).toMatch(/^Queued again as [0-9a-f-]{36}\.\n$/);
  expect(room.ask('redrive', claims[0]?.runId ?? '')).toMatchObject({ code: 1, err: expect.stringContaining('was not given up') });
  expect(room.ask('redrive', '--all').out).toBe('2 runs are queued again.\n');
  expect(answerOf(room.ask('--json'))).toHaveLength(3);
});

test('what a command had resumed when it was killed is resumed again, not queued for nobody', async () => {
  await using room = openRoom();
  const options = { cwd: room.dir.at('w') };
  const facts = { source: 'resume', caller: 'owner', body: [['FA_stat', ['log.txt']]], options } as const;
  const { runId } = await room.store.submit({ ...facts, queue: 'cli:1', maxAttempts: 1, claim: { worker: 'cli:1' } });
  await room.store.abandon('cli:1');
  expect(room.ask('redrive', runId)).toMatchObject({ code: 1, err: expect.stringContaining(`factotum runs resume ${runId}`) });
  expect(room.ask('redrive', '--all').out).toBe('0 runs are queued again.\n');
  expect(factotum(['runs', 'resume', runId], { cwd: room.dir.at('w'), env: room.env }).code).toBe(0);
});

test('a verdict on what a command had resumed when it was killed leaves it to be resumed', async () => {
  await using room = openRoom();
  const append = ['FA_run_shell', [['sh', '-c', 'echo x >> log.txt']]];
  const facts = { source: 'resume', caller: 'owner', body: [append, append], options: { cwd: room.dir.at('w') } } as const;
  const { runId, claim } = await room.store.submit({ ...facts, queue: 'cli:1', maxAttempts: 1, claim: { worker: 'cli:1' } });
  if (claim === undefined) throw new Error('Nothing was claimed.');
  await room.store.nodes.record(claim, [{ index: 0, action: 'FA_run_shell', isIdempotent: false, state: 'running', startedAt: 1 }]);
  await room.store.abandon('cli:1');
  expect(room.ask('judge', runId, 'done').out).toContain(`\nGo on with factotum runs resume ${runId}.\n`);
  expect(factotum(['runs', 'resume', runId], { cwd: room.dir.at('w'), env: room.env }).code).toBe(0);
  expect(room.dir.read('w/log.txt')).toBe('x\n');
});

test('a run that a crash left open tells the file it is about and what its command was given', async () => {
  await using room = openRoom();
  const event = { watcher: 'inbox', kind: 'created', path: '/in/a.csv', relative: 'a.csv', paths: ['/in/a.csv'], files: [] };
  const { runId, claim } = await room.store.submit({
    source: 'watch',
    caller: 'owner',
    body: [['FA_run_shell', { argv: ['send', '${event.path}', '${env:TOKEN}'], env: { PASSWORD: 'hunter2-hunter2' } }]],
    options: { named: { event } },
    claim: { worker: 'gone' },
  });
  if (claim === undefined) throw new Error('Nothing was claimed.');
  await room.store.nodes.record(claim, [{ index: 0, action: 'FA_run_shell', isIdempotent: false, state: 'running', startedAt: 1 }]);
  await room.store.abandon('gone');
  await room.store.claim({ worker: 'another', queues: ['none'], max: 1 });
  const show = (...words: readonly string[]) => factotum(['runs', 'show', runId, ...words], { cwd: room.dir.at('w'), env: room.env });
  expect(show().out).toContain('  event: created /in/a.csv\n');
  expect(show().out).toContain('with {"argv":["send","/in/a.csv","${env:TOKEN}"]');
  const shown = { event, results: [{ status: 'indeterminate', arguments: { argv: ['send', '/in/a.csv', '${env:TOKEN}'] } }] };
  expect(answerOf(show('--json'))).toMatchObject(shown);
  await using served = startServed({ cwd: room.dir.at('w'), state: room.dir.at('state'), env: room.env });
  const answer = await fetch(`${await served.url}/runs/${runId}`);
  const text = await answer.text();
  expect(JSON.parse(text)).toMatchObject(shown);
  expect(room.ask('judge', runId, 'fail').out).toMatch(
    /^Command 0 \(FA_run_shell\) with .*\/in\/a\.csv.* for created \/in\/a\.csv: fail\.\n/,
  );
  for (const said of [text, show().out, show('--json').out]) expect(said).not.toContain('hunter2');
});

test('a run that a crash left open goes on by a verdict', { timeout: 180_000 }, async () => {
  await using room = openRoom();
  const append = ['FA_run_shell', [['sh', '-c', 'echo x >> log.txt']]];
  const { runId, claim } = await room.store.submit({ source: 'http', caller: 'owner', body: [append, append], claim: { worker: 'gone' } });
  if (claim === undefined) throw new Error('Nothing was claimed.');
  await room.store.nodes.record(claim, [{ index: 0, action: 'FA_run_shell', isIdempotent: false, state: 'running', startedAt: 1 }]);
  await room.store.abandon('gone');
  await room.store.claim({ worker: 'another', queues: ['none'], max: 1 });
  expect(room.ask().out).toContain(`${runId}  indeterminate`);
  const refused = factotum(['runs', 'resume', runId], { cwd: room.dir.at('w'), env: room.env });
  expect(refused.err).toContain(`factotum queue judge ${runId} done|retry|fail`);
  const given = 'with [["sh","-c","echo x >> log.txt"]]';
  expect(room.ask('judge', runId)).toMatchObject({ code: 2, out: expect.stringContaining(given) });
  expect(room.ask('judge', runId, 'done', '--command', '1')).toMatchObject({ code: 2, err: expect.stringContaining('--command: 0') });
  expect(room.ask('judge', runId, 'done')).toMatchObject({
    code: 0,
    out: `Command 0 (FA_run_shell) ${given}: done.\nThe run goes on.\n`,
  });
  await using served = startServed({ cwd: room.dir.at('w'), state: room.dir.at('state'), env: room.env });
  await (await fetch(`${await served.url}/runs/${runId}/events`)).text();
  expect(await room.store.run(runId)).toMatchObject({ state: 'ok', commands: [{ state: 'ok' }, { state: 'ok' }] });
  expect(room.dir.read('w/log.txt')).toBe('x\n');
  expect(room.ask('judge', runId, 'done')).toMatchObject({ code: 1, err: expect.stringContaining('waits for a verdict') });
});

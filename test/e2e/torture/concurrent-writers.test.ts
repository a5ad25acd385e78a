import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { createInstance } from '../../../src/app/create.ts';
import { seeded } from '../../support/seeded.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { patience, seedOf } from '../../support/torture.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { leftovers } from '../files/ports.ts';
import { type Served, startServed } from '../service/served.ts';
import { bundleListChild, startListChild } from './list-child-runner.ts';

const TIMEOUT = patience(240_000);
const records = trialOf('records-of-many-writers');
const edits = trialOf('edits-of-many-writers');
const archives = trialOf('archives-of-many-writers');
const besideForeign = trialOf('edits-beside-a-foreign-program');
const killed = trialOf('killed-writers');
const filters = trialOf('filters-of-many-writers');
const upTo = (count: number): readonly number[] => Array.from({ length: count }, (_, at) => at);

/** A program that knows nothing of us and appends with its shell. */
const shell = async (script: string, cwd: string): Promise<void> => {
  const child = spawn('sh', ['-ec', script], { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  const [code] = await once(child, 'exit');
  expect(code).toBe(0);
};

/** Sends lists one after the other and waits for each; all must end well. */
const client = async (served: Served, lists: readonly unknown[]): Promise<void> => {
  for (const list of lists) {
    const answer = await fetch(`${await served.url}/actions`, post(list));
    expect(await answer.json()).toMatchObject({ ok: true });
  }
};

/** Has a list run in the background and follows it to its end. */
const inBackground = async (served: Served, actions: readonly unknown[], mode = 'serial'): Promise<void> => {
  const answer = await fetch(`${await served.url}/runs`, post({ actions, mode }));
  const run = `${await served.url}/runs/${answer.headers.get('x-run-id') ?? ''}`;
  await (await fetch(`${run}/events`)).text();
  expect(await (await fetch(run)).json()).toMatchObject({ counts: { ok: actions.length } });
};

const post = (list: unknown) => ({ method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(list) });

interface Line {
  readonly by: string;
  readonly n: number;
}

/** What each writer has left, in the order of the file; a line that is no whole record fails. */
const recordsIn = (dir: TempDir, file: string): Map<string, number[]> => {
  const found = new Map<string, number[]>();
  const lines = (dir.read(file) ?? '').split('\n');
  expect(lines.pop()).toBe('');
  for (const line of lines) {
    const { by, n }: Line = JSON.parse(line);
    found.set(by, [...(found.get(by) ?? []), n]);
  }
  return found;
};

const append = (by: string, n: number) => ['FA_jsonl_append', { path: 'log.jsonl', record: { by, n } }];

test('1,200 records of processes, clients and queued runs, and all of a foreign program, are there in order', TIMEOUT, async () => {
  using script = await bundleListChild();
  for (const _ of upTo(records.count / 1_600)) {
    using dir = tempDir({ 'factotum.toml': '' });
    using state = tempDir(); // what the service keeps there is not left behind
    await using served = startServed({ cwd: dir.path, state: state.path });
    await served.url;
    const each = upTo(100);
    const inOrder = upTo(4).map((at) => startListChild(script, dir.path, [each.map((n) => append(`process ${at}`, n))]));
    const parallel = startListChild(script, dir.path, [{ actions: each.map((n) => append('parallel', n)), mode: 'parallel' }]);
    const forEach = startListChild(script, dir.path, [
      [['FA_for_each', { items: each, actions: [['FA_jsonl_append', { path: 'log.jsonl', record: { by: 'for each', n: '${item}' } }]] }]],
    ]);
    await Promise.all([
      ...[...inOrder, parallel, forEach].map(({ over }) => over),
      ...upTo(8).map((at) =>
        client(
          served,
          upTo(50).map((n) => [append(`client ${at}`, n)]),
        ),
      ),
      ...upTo(10).map((at) =>
        inBackground(
          served,
          upTo(20).map((n) => append(`run ${at}`, n)),
        ),
      ),
      shell(`i=0; while [ $i -lt 400 ]; do echo "{\\"by\\":\\"shell\\",\\"n\\":$i}" >> log.jsonl; i=$((i+1)); done`, dir.path),
    ]);
    const found = recordsIn(dir, 'log.jsonl');
    const expected = new Map([
      ...upTo(4).map((at) => [`process ${at}`, each] as const),
      ['parallel', each],
      ['for each', each],
      ...upTo(8).map((at) => [`client ${at}`, upTo(50)] as const),
      ...upTo(10).map((at) => [`run ${at}`, upTo(20)] as const),
      ['shell', upTo(400)],
    ]);
    const ordered = (records: ReadonlyMap<string, readonly number[]>) =>
      [...records].map(([by, ns]) => [by, by === 'parallel' ? [...ns].sort((a, b) => a - b) : ns]).sort();
    expect(ordered(found)).toEqual(ordered(expected));
    for (const [, ns] of expected) records.did(ns.length);
    expect(leftovers(dir.path)).toEqual([]);
  }
});

/** Edits that each writer makes in a place of its own, and how the file must look when all have. */
interface EditKind {
  readonly file: string;
  readonly before: (writers: number, count: number) => string;
  readonly edit: (writer: number, n: number, count: number) => unknown;
  /** Whether the edit can be seen. */
  readonly isIn: (text: string, writer: number, n: number) => boolean;
}

const slot = (writer: number, n: number) => `w${writer}n${n}`;
const EDITS: Readonly<Record<string, EditKind>> = {
  FA_json_set: {
    file: 'a.json',
    before: () => '{}',
    edit: (writer, n) => ({ path: 'a.json', key_path: slot(writer, n), value: n }),
    isIn: (text, writer, n) => JSON.parse(text)[slot(writer, n)] === n,
  },
  FA_yaml_set: {
    file: 'a.yaml',
    before: () => 'first: 1\n',
    edit: (writer, n) => ({ path: 'a.yaml', key_path: slot(writer, n), value: n }),
    isIn: (text, writer, n) => text.split('\n').includes(`${slot(writer, n)}: ${n}`),
  },
  FA_sed_replace: {
    file: 'a.txt',
    before: (writers, count) =>
      upTo(writers)
        .flatMap((writer) => upTo(count).map((n) => `<${slot(writer, n)}>\n`))
        .join(''),
    edit: (writer, n) => ({ file_path: 'a.txt', pattern: `<${slot(writer, n)}>`, replacement: `[${slot(writer, n)}]` }),
    isIn: (text, writer, n) => text.includes(`[${slot(writer, n)}]`),
  },
  FA_apply_patch: {
    file: 'b.txt',
    before: (writers, count) =>
      upTo(writers * count)
        .map((at) => `line ${at}\n`)
        .join(''),
    edit(writer, n, count) {
      const at = writer * count + n;
      return { target: 'b.txt', patch: `--- b.txt\n+++ b.txt\n@@ -${at + 1},1 +${at + 1},1 @@\n-line ${at}\n+${slot(writer, n)}\n` };
    },
    isIn: (text, writer, n) => text.split('\n').includes(slot(writer, n)),
  },
};

test.each(Object.entries(EDITS))('%s from many processes and clients loses nothing', TIMEOUT, async (action, kind) => {
  using script = await bundleListChild();
  const writers = 8;
  const count = edits.count / (writers * Object.keys(EDITS).length);
  using dir = tempDir({ 'factotum.toml': '', [kind.file]: kind.before(writers, count) });
  using state = tempDir(); // what the service keeps there is not left behind
  await using served = startServed({ cwd: dir.path, state: state.path });
  await served.url;
  const listsOf = (writer: number) => upTo(count).map((n) => [[action, kind.edit(writer, n, count)]]);
  await Promise.all([
    ...[0, 1, 2, 3].map((writer) => startListChild(script, dir.path, listsOf(writer)).over),
    ...[4, 5, 6].map((writer) => client(served, listsOf(writer))),
    inBackground(served, listsOf(7).flat(), 'parallel'),
  ]);
  const text = dir.read(kind.file) ?? '';
  const lost = upTo(writers).flatMap((writer) => upTo(count).flatMap((n) => (kind.isIn(text, writer, n) ? [] : [slot(writer, n)])));
  expect(lost).toEqual([]);
  edits.did(writers * count);
  expect(leftovers(dir.path)).toEqual([]);
});

test('archives that are written to one path at once replace each other as a whole', TIMEOUT, async () => {
  using script = await bundleListChild();
  const writers = upTo(4);
  using dir = tempDir(Object.fromEntries(writers.map((at) => [`w${at}.txt`, String(at).repeat(50_000)])));
  const packing = writers.map((at) => {
    const pack = ['FA_zip_file', { zip_file_path: 'a.zip', file: `w${at}.txt`, level: 6 }];
    return startListChild(
      script,
      dir.path,
      Array(archives.count / writers.length).fill([pack, ['FA_set_zip_password', { zip_file_path: 'a.zip', password: 'x' }]]),
    );
  });
  await Promise.all(packing.map(({ over }) => over));
  for (const { done } of packing) archives.did(done.length);
  await using factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
  const reading = writers.map((at) => ['FA_read_zip_file', { zip_file_path: 'a.zip', file_name: `w${at}.txt`, password: 'x' }]);
  const { results } = await factotum.run(reading);
  const whole = results.flatMap(({ value }, at) => (value === undefined || value === null ? [] : [[at, value]]));
  expect(whole).toEqual([[expect.any(Number), { base64: Buffer.from(String(whole[0]?.[0]).repeat(50_000)).toString('base64') }]]);
  expect(leftovers(dir.path)).toEqual([]);
});

test('an edit beside a foreign program that appends loses nothing of either', TIMEOUT, async () => {
  using script = await bundleListChild();
  using dir = tempDir({
    'a.txt': upTo(besideForeign.count)
      .map((n) => `<${n}>\n`)
      .join(''),
  });
  const lists = upTo(besideForeign.count).map((n) => [
    ['FA_sed_replace', { file_path: 'a.txt', pattern: `<${n}>`, replacement: `[${n}]` }],
  ]);
  const editing = startListChild(script, dir.path, lists);
  const written = upTo(20 * besideForeign.count);
  await Promise.all([
    editing.over,
    shell(`i=0; while [ $i -lt ${written.length} ]; do echo "shell $i" >> a.txt; i=$((i+1)); done`, dir.path),
  ]);
  const lines = (dir.read('a.txt') ?? '').split('\n');
  expect(lines.filter((line) => line.startsWith('shell'))).toEqual(written.map((n) => `shell ${n}`));
  expect(lines.filter((line) => line.startsWith('['))).toEqual(lists.map((_, n) => `[${n}]`));
  besideForeign.did(lists.length);
});

test('killed writers leave every record they were told is there, no half line, and nobody waiting', TIMEOUT, async () => {
  using script = await bundleListChild();
  const seed = seedOf(7);
  const random = seeded(seed);
  const names = ['a', 'b', 'c'];
  for (const round of upTo(killed.count / names.length)) {
    using dir = tempDir({ 'a.json': '{}' });
    const lists = (by: string) =>
      upTo(200).map((n) => [append(by, n), ['FA_json_set', { path: 'a.json', key_path: `${by}-${n}`, value: n }]]);
    const children = names.map((by) => ({ by, child: startListChild(script, dir.path, lists(by)) }));
    for (const { child } of children) {
      const wanted = 5 + Math.floor(random() * 60);
      child.process.stdout?.on('data', () => child.done.length >= wanted && child.process.kill('SIGKILL'));
    }
    await Promise.all(children.map(({ child }) => child.over));
    killed.did(children.length);
    const survivor = startListChild(script, dir.path, lists('d').slice(0, 3));
    await survivor.over;
    const records = recordsIn(dir, 'log.jsonl');
    const settings = JSON.parse(dir.read('a.json') ?? '');
    for (const { by, child } of [...children, { by: 'd', child: survivor }]) {
      expect(records.get(by)?.slice(0, child.done.length), `seed ${seed}, round ${round}`).toEqual(child.done);
      for (const n of child.done) expect(settings[`${by}-${n}`], `seed ${seed}, round ${round}`).toBe(n);
    }
  }
});

test('edits of one table by processes that work at the same time are all made', TIMEOUT, async () => {
  using script = await bundleListChild();
  const columns = upTo(8).map((at) => `c${at}`);
  // One row that all filters keep, and for each filter one that only it takes away.
  const rows = [columns.map(() => 'y'), ...columns.map((_, out) => columns.map((_, at) => (at === out ? 'n' : 'y')))];
  const table = [['id', ...columns], ...rows.map((row, at) => [`row${at}`, ...row])].map((row) => `${row.join(',')}\n`).join('');
  const filter = (column: string) => ['FA_csv_filter', { src: 't.csv', target: 't.csv', where_column: column, where_equals: 'y' }];
  for (const _ of upTo(filters.count / columns.length)) {
    filters.did(columns.length);
    using dir = tempDir({ 't.csv': table });
    const alone = columns.slice(0, 4).map((column) => startListChild(script, dir.path, [[filter(column)]]));
    const together = startListChild(script, dir.path, [{ actions: columns.slice(4).map(filter), mode: 'parallel' }]);
    await Promise.all([...alone, together].map(({ over }) => over));
    expect(dir.read('t.csv')).toBe(`${['id', ...columns].join(',')}\r\nrow0,${columns.map(() => 'y').join(',')}\r\n`);
    expect(leftovers(dir.path)).toEqual([]);
  }
});

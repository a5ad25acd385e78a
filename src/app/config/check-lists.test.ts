import { describe, expect, test } from 'vitest';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import { EVENT_NAMES } from '../../core/ports/watchers.ts';
import { shownEvent, shownFile } from '../../services/watchers/events/file-event.ts';
import { createInstance } from '../create.ts';
import { checkLists } from './check-lists.ts';
import { loadConfig } from './load-config.ts';

interface Told {
  readonly key: string;
  readonly place: string;
  readonly message: string;
}

/** Everything that is wrong with the lists of a configuration; places without the directory. */
const faultsOf = async (dir: TempDir, text: string): Promise<readonly Told[]> => {
  dir.write('factotum.toml', text);
  await using factotum = createInstance({ cwd: dir.path, log: { level: 'silent' } });
  factotum.registry.register('FA_of_plugin', () => 1);
  const loaded = await loadConfig({ path: dir.at('factotum.toml'), env: {}, cwd: dir.path });
  const fault = await checkLists(loaded, { ...factotum, cwd: dir.path });
  const faults = (fault?.context.faults ?? []) as unknown as readonly Told[]; // as the configuration tells them
  return faults.map(({ key, place, message }) => ({ key, place: place.replace(`${dir.path}/`, ''), message }));
};

const schedule = (actions: string) => `[[schedules]]\nname = "nightly"\ncron = "0 3 * * *"\nactions = ${actions}\n`;
const watcher = (actions: string) => `[[watchers]]\nname = "inbox"\npath = "."\nactions = ${actions}\n`;

describe('lists that can run', () => {
  test.each<[string, string]>([
    ['of actions of plugins', schedule('[["FA_of_plugin", [1]]]')],
    ['with what a schedule names', schedule('[["FA_create_file", { file_path = "${schedule.name}-${schedule.tick}" }]]')],
    ['with what a watcher names', watcher('[["FA_copy_file", ["${event.path}", "${event.files[0].relative}"]]]')],
    ['with earlier results', schedule('[["FA_stat", ["."]], ["FA_create_file", ["a", "${results[0].value.name}"]]]')],
    ['with variables, which are those of the service', schedule('[["FA_stat", ["${env:NOT_SET_HERE}"]]]')],
    ['as graphs', schedule('{ nodes = [{ id = "a", action = ["FA_stat", ["."]] }] }')],
    ['with loops', watcher('[["FA_for_each", { items = "${event.paths}", actions = [["FA_stat", ["${item}"]]] }]]')],
    ['that name files not made yet', schedule('[["FA_execute_files", [["later.json"]]]]')],
  ])('%s pass', async (_, text) => {
    using dir = tempDir();
    expect(await faultsOf(dir, text)).toEqual([]);
  });
});

describe('lists that cannot', () => {
  test.each<[string, string, string, RegExp]>([
    ['an unknown action', schedule('[["FA_sttat", ["."]]]'), '4:12', /no action is called "FA_sttat"; did you mean FA_stat\?/],
    [
      'an unknown argument',
      schedule('[["FA_stat", { path = ".", folow_links = true }]]'),
      '4:38',
      /has no argument "folow_links"; did you mean follow_links\?/,
    ],
    ['a wrong type', schedule('[["FA_stat", { path = "." , follow_links = "yes" }]]'), '4:39', /follow_links must be/],
    ['a wrong type by position', schedule('[["FA_stat", [".", "yes"]]]'), '4:30', /follow_links must be/],
    ['a missing argument', schedule('[["FA_stat"]]'), '4:12', /needs path/],
    ['a reference of a watcher', schedule('[["FA_stat", ["${event.path}"]]]'), '4:25', /only in the list of a watcher/],
    ['a reference of a schedule', watcher('[["FA_stat", ["${event.path}${schedule.tick}"]]]'), '4:25', /only in the list of a schedule/],
    ['a key that events lack', watcher('[["FA_stat", ["${event.pth}"]]]'), '4:25', /no key "pth"; did you mean path\?/],
    ['a result that is not there', schedule('[["FA_stat", ["${results[3].value}"]]]'), '4:25', /earlier command/],
    ['a reference that is none', schedule('[["FA_stat", ["${evnt.path}"]]]'), '4:25', /evnt/],
    [
      'something nested',
      schedule(
        '[\n  ["FA_if_exists", { path = ".", then = [\n    ["FA_stat", ["."]],\n    ["FA_for_each", { items = [1], actions = [["FA_nope"]] }],\n  ] }],\n]',
      ),
      '7:47',
      /no action is called "FA_nope"/,
    ],
    ['something nested by position', schedule('[["FA_if_exists", [".", [\n  ["FA_stat", { path = 7 }],\n]]]]'), '5:17', /path must be/],
    ['a node', schedule('{ nodes = [\n  { id = "a", action = ["FA_nope"] },\n] }'), '5:15', /no action is called "FA_nope"/],
    [
      'a circle',
      schedule('{ nodes = [{ id = "a", action = ["FA_stat", ["."]], depends_on = ["a"] }] }'),
      '4:1',
      /depends on itself|circle/,
    ],
    ['a malformed command', schedule('[["FA_stat", ["."], 3]]'), '4:12', /Command 0/],
    ['an unknown option', schedule('{ actions = [], mdoe = "serial" }'), '4:1', /mdoe/],
  ])('%s is told where it stands', async (_, text, place, words) => {
    using dir = tempDir();
    const [fault, ...others] = await faultsOf(dir, text);
    expect([fault?.place, others]).toEqual([`factotum.toml:${place}`, []]);
    expect(fault?.message).toMatch(words);
    expect(fault?.message).toMatch(/^(?:schedules|watchers)\[0\]\.actions: /);
  });

  test('are told all at once, in the order of the file', async () => {
    using dir = tempDir();
    const faults = await faultsOf(dir, watcher('[["FA_one"], ["FA_two"]]') + schedule('[["FA_three"]]'));
    expect(faults.map(({ place }) => place)).toEqual(['factotum.toml:4:12', 'factotum.toml:4:24', 'factotum.toml:8:12']);
  });

  test('are told in the files that hold them', async () => {
    using dir = tempDir({
      'lists/one.json': '[\n  ["FA_stat", {\n    "path": 3\n  }],\n  ["FA_execute_files", [["lists/two.json", "lists/one.json"]]]\n]',
      'lists/two.json': '{"nodes": [{"id": "a", "action": ["FA_nope"]}]}',
      'lists/broken.json': '[\n  ["FA_stat"',
    });
    const faults = await faultsOf(dir, schedule('[["FA_execute_files", [["lists/one.json", "lists/broken.json"]]]]'));
    expect(faults.map(({ key, place }) => [key, place])).toEqual([
      ['schedules[0].actions', 'lists/one.json:3:13'],
      ['schedules[0].actions', 'lists/two.json:1:34'],
      ['schedules[0].actions', 'lists/broken.json:2:13'],
    ]);
  });
});

test('the keys of events are those that lists are told of', () => {
  const file = shownFile('/', { kind: 'created', path: 'a', fingerprint: null, movedFrom: null, size: 1, isReplayed: false, isOwn: false });
  expect(Object.keys(shownEvent('inbox', 'created', [file])).sort()).toEqual([...(EVENT_NAMES.get('event') ?? [])].sort());
});

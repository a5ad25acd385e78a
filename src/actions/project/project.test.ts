import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

test('the lists of a starter project run', async () => {
  await using house = openHouse();
  await house.run([['FA_create_project_dir', ['.', 'demo']]]);
  const lists = ['demo/keyword/keyword_create.json', 'demo/keyword/keyword_teardown.json'];
  const { results } = await house.run(lists.map((list) => ['FA_execute_files', [[list]]]));
  expect(results.map(({ status }) => status)).toEqual(['ok', 'ok']);
});

test('a starter project never replaces a file', async () => {
  await using house = openHouse({ files: { 'demo/keyword/keyword_create.json': 'mine' } });
  const { results } = await house.run([['FA_create_project_dir', ['.', 'demo']]]);
  expect(results[0]?.error?.type).toBe('JsonActionException');
  expect(house.dir.read('demo/keyword/keyword_create.json')).toBe('mine');
});

test('a broken list is reported with its line and column', async () => {
  await using house = openHouse({ files: { 'l.json': '[\n  ["FA_x",]\n]' } });
  const { results } = await house.run([['FA_read_action_json', ['l.json']]]);
  expect(results[0]?.error).toMatchObject({ type: 'JsonActionException', message: expect.stringMatching(/^l\.json:2:11: /) });
});

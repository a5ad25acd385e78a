import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

test('work under way is listed, looked at, cancelled, forgotten and cleared by name', async () => {
  await using house = openHouse();
  const { progress } = house.factotum;
  const one = progress.create('one', { total: 10 });
  one.advance(4);
  progress.create('two').finish('done');
  const { results } = await house.run([
    ['FA_progress_list'],
    ['FA_progress_get', ['one']],
    ['FA_progress_cancel', ['one']],
    ['FA_progress_clear'],
    ['FA_progress_forget', ['one']],
    ['FA_progress_get', ['one']],
  ]);
  expect(results[0]?.value).toMatchObject([
    { name: 'one', transferred: 4, total: 10, status: 'running' },
    { name: 'two', status: 'done' },
  ]);
  expect(results.slice(1).map(({ value }) => value)).toMatchObject([{ name: 'one' }, true, 1, true, null]);
  expect(() => one.advance(1)).toThrow(/cancelled/);
});

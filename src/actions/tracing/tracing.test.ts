import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

test('each instance is traced on its own', async () => {
  await using one = openHouse();
  await using other = openHouse();
  await one.run([['FA_tracing_init']]);
  const status = async (house: typeof one) => (await house.run([['FA_tracing_status']])).results[0]?.value;
  expect([await status(one), await status(other)]).toEqual([true, false]);
});

test.each([
  ['a text', 'x', 'ArgumentException'],
  ['a list', [], 'ArgumentException'],
  ['an object', {}, 'TracingException'],
])('an exporter that is %s is refused, in a dry run too', async (_, exporter, type) => {
  await using house = openHouse();
  const actions = [['FA_tracing_init', { exporter }]];
  for (const dry_run of [true, false]) expect((await house.run({ actions, dry_run })).results[0]?.error?.type).toBe(type);
});

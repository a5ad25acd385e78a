import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

test('each instance is traced on its own', async () => {
  await using one = openHouse();
  await using other = openHouse();
  await one.run([['FA_tracing_init']]);
  const status = async (house: typeof one) => (await house.run([['FA_tracing_status']])).results[0]?.value;
  expect([await status(one), await status(other)]).toEqual([true, false]);
});

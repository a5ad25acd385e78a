import { expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';

test('what ran before is in the text, by action and caller', async () => {
  await using house = openHouse();
  await house.run([['FA_metrics_render']]);
  await house.run([['FA_t_touch']]);
  const { results } = await house.run([['FA_metrics_render']]);
  expect(results[0]?.value).toContain('factotum_actions_total{action="FA_t_touch",status="ok"} 1\n');
  expect(results[0]?.value).toContain('factotum_runs_total{caller="owner",status="ok"} 2\n');
  expect(results[0]?.value).toContain('factotum_runs_in_flight 1\n');
});

import { expect, test } from 'vitest';
import { openHttpDoor } from '../../support/http-door.ts';
import { parquetOfEmptyLists } from '../../support/parquet-empty-lists.ts';

const ROWS = 30_000_000;
/** A few hundred bytes, of which all rows have to be counted to come to the last one. */
const files = { 'a.parquet': parquetOfEmptyLists(ROWS, 5) };
const LAST_ROW = ['FA_parquet_read', { path: 'a.parquet', offset: ROWS - 1 }];

test('a file that keeps its reader busy holds up nobody, and ends with its run', async () => {
  await using door = await openHttpDoor({ house: { files } });
  const stop = new AbortController();
  const reading = door.house.run([LAST_ROW], { signal: stop.signal });
  // On the thread of the service it would have been read before anybody else is answered.
  for (let asked = 0; asked < 3; asked += 1) expect((await fetch(new URL('/healthz', door.url))).status).toBe(200);
  stop.abort();
  expect((await reading).status).toBe('cancelled');
});

test('a file that keeps its reader busy ends at the deadline', async () => {
  await using door = await openHttpDoor({ house: { files } });
  const { results } = await door.house.run([['FA_with_timeout', { actions: [LAST_ROW], seconds: 0.05 }]]);
  expect(results[0]?.error?.type).toBe('TimeoutException');
});

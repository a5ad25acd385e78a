import { expect } from 'vitest';
import { testEachExample } from './example-room.ts';
import { faultsOf } from './json-schema.ts';
import { listSchema } from './list-schema.ts';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

await testEachExample('does what its examples say', async (room, { value, fails, leaves = {} }, { action }) => {
  const result = await room.run();
  const [outcome] = result.results;
  expect([outcome?.error?.type, outcome?.status]).toEqual(fails === undefined ? [undefined, 'ok'] : [fails, 'failed']);
  if (value !== undefined) expect(outcome?.value).toEqual(value);
  expect(Object.fromEntries(Object.keys(leaves).map((path) => [path, room.read(path) ?? null]))).toEqual(leaves);
  expect(faultsOf({ $ref: '#/$defs/run_result' }, asJson(result), listSchema)).toEqual([]);
  if (fails === undefined) expect(faultsOf(action.returns.schema, asJson(outcome?.value), listSchema)).toEqual([]);
});

import { expect } from 'vitest';
import { testEachExample } from './example-room.ts';
import { faultsOf } from './json-schema.ts';
import { listSchema } from './list-schema.ts';

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

await testEachExample('does what its examples say', async (room, { value, leaves = {} }, { action }) => {
  const result = await room.run();
  const [outcome] = result.results;
  expect(outcome?.error).toBeUndefined();
  expect(outcome?.status).toBe('ok');
  if (value !== undefined) expect(outcome?.value).toEqual(value);
  expect(Object.fromEntries(Object.keys(leaves).map((path) => [path, room.read(path) ?? null]))).toEqual(leaves);
  expect(faultsOf({ $ref: '#/$defs/run_result' }, asJson(result), listSchema)).toEqual([]);
  expect(faultsOf(action.returns.schema, asJson(outcome?.value), listSchema)).toEqual([]);
});

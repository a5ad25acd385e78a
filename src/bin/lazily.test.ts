import { expect, test } from 'vitest';
import { lazily } from './lazily.ts';

const counted = () => {
  const loads: number[] = [];
  const load = () => {
    loads.push(1);
    return { spawn: () => 'spawned', version: 7 };
  };
  return { load, loads };
};

test('the module is loaded when an export is first used, once', () => {
  const { load, loads } = counted();
  const module = lazily(load);
  expect(loads).toEqual([]);
  expect(Reflect.get(module, 'version')).toBe(7);
  expect(Reflect.get(module, 'version')).toBe(7);
  expect(loads).toEqual([1]);
});

test('early exports do without it', () => {
  const { load, loads } = counted();
  const module = lazily(load, { version: 8 });
  expect(Reflect.get(module, 'version')).toBe(8);
  expect(loads).toEqual([]);
});

test('a copy of it has all exports', () => {
  const { load } = counted();
  expect(Object.keys({ ...lazily(load) })).toEqual(['spawn', 'version']);
});

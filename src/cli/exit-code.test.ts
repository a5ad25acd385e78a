import { expect, test } from 'vitest';
import {
  ActionNotPermittedException,
  ConfigException,
  FileNotExistsException,
  JsonActionException,
  PolicyException,
  RecordedException,
  ValidationException,
} from '../core/errors.ts';
import { EXIT, exitCodeFor } from './exit-code.ts';

test('the codes are a promise', () => {
  expect(EXIT).toEqual({ ok: 0, failed: 1, usage: 2, refused: 3, interrupted: 130 });
});

test.each([
  [new JsonActionException('x'), 2],
  [new ValidationException('x'), 2],
  [new ConfigException('x'), 2],
  [new PolicyException('x'), 3],
  [new ActionNotPermittedException('x'), 3],
  [new RecordedException(new PolicyException('x').toJSON()), 3],
  [new FileNotExistsException('x'), 1],
  [new TypeError('x'), 1],
])('%o exits with %d', (fault, code) => {
  expect(exitCodeFor(fault)).toBe(code);
});

import { describe, expect, test } from 'vitest';
import * as errors from '../../core/errors.ts';
import { FileAutomationException, RecordedException } from '../../core/errors.ts';
import { packFault, unpackFault } from './messages.ts';

const across = (fault: unknown): Error => unpackFault(structuredClone(packFault(fault)));

/** The class of the catalogue that every caller can meet, made ready to throw. */
const concrete = Object.entries(errors).filter(
  ([name, value]) => typeof value === 'function' && value.prototype instanceof FileAutomationException && name !== 'RecordedException',
);

describe('an error of the catalogue keeps its class, words and context', () => {
  test.each(concrete)('%s', (_, found) => {
    const Known = found as new (message: string, options: errors.ExceptionOptions) => FileAutomationException;
    const back = across(new Known('what, where, remedy', { context: { at: 1 }, retryable: true }));
    expect(back).toBeInstanceOf(Known);
    expect(back).toMatchObject({ message: 'what, where, remedy', context: { at: 1 }, retryable: true });
  });
});

test('a type that nobody knows keeps its name', () => {
  const fault = unpackFault({ kind: 'typed', record: { type: 'toString', message: 'm', retryable: false, context: {} } });
  expect(fault).toBeInstanceOf(RecordedException);
  expect(fault).toMatchObject({ type: 'toString', message: 'm' });
});

test('a fault of the system keeps what names it', () => {
  const fault = Object.assign(new Error('ENOENT: no such file'), { code: 'ENOENT', syscall: 'open', path: '/x', errno: -2 });
  expect(across(fault)).toMatchObject({ message: 'ENOENT: no such file', code: 'ENOENT', syscall: 'open', path: '/x' });
});

test('any other error keeps message and stack', () => {
  const fault = new RangeError('too far');
  expect(across(fault)).toMatchObject({ message: 'too far', stack: fault.stack });
});

test('what is no error becomes one', () => {
  expect(across('just words')).toEqual(new Error('just words'));
});

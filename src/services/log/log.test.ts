import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMasker } from '../../access/mask.ts';
import type { LogLevel } from '../../core/ports.ts';
import { createLog, silentLog } from './log.ts';

const AT = Date.parse('2026-01-02T03:04:05.678Z');
const clock = { now: () => AT, monotonic: () => 0 };

const logging = (format: 'text' | 'json', level: LogLevel | 'silent' = 'debug') => {
  const lines: string[] = [];
  const masker = createMasker();
  return { lines, masker, log: createLog({ level, format, clock, masker, write: (line) => lines.push(line) }) };
};

describe('a line of text', () => {
  test('has time, level, message and fields, quoted where they need it', () => {
    const { log, lines } = logging('text');
    log('warn', 'something is odd', { run_id: 'r-1', index: 3, path: '/a b', list: ['x'], nothing: undefined, empty: '' });
    expect(lines).toEqual(['2026-01-02T03:04:05.678Z WARN  something is odd run_id=r-1 index=3 path="/a b" list=["x"] empty=""']);
  });

  test('stays one line, whatever is written', () => {
    const { log, lines } = logging('text');
    log('info', 'a\nb\r\u0000\u001b[31m', { name: 'x\n2026-01-02T03:04:05.678Z ERROR forged' });
    expect(lines).toEqual([
      '2026-01-02T03:04:05.678Z INFO  a\\u000ab\\u000d\\u0000\\u001b[31m name="x\\n2026-01-02T03:04:05.678Z ERROR forged"',
    ]);
  });
});

describe('a line of JSON', () => {
  test('has the same as members', () => {
    const { log, lines } = logging('json');
    log('error', 'something broke', { run_id: 'r-1', deep: { list: [1, null] }, nothing: undefined });
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { at: '2026-01-02T03:04:05.678Z', level: 'error', message: 'something broke', run_id: 'r-1', deep: { list: [1, null] } },
    ]);
  });
});

describe.each(['text', 'json'] as const)('%s lines', (format) => {
  test('hold no control character and nothing that turns the direction of reading', () => {
    // Written as numbers: these characters must not stand in a source file.
    const forbidden = [
      ...range(0x00, 0x1f),
      ...range(0x7f, 0x9f),
      0x200e,
      0x200f,
      0x2028,
      0x2029,
      ...range(0x202a, 0x202e),
      ...range(0x2066, 0x2069),
    ];
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom(...forbidden.map((code) => String.fromCodePoint(code))),
            fc.string({ unit: 'binary', maxLength: 1 }),
          ),
        }),
        (text) => {
          const { log, lines } = logging(format);
          log('info', text, { [`key${text}`]: text, deep: [text] });
          expect(lines).toHaveLength(1);
          expect([...(lines[0] ?? '')].filter((character) => forbidden.includes(character.codePointAt(0) ?? 0))).toEqual([]);
        },
      ),
    );
  });

  test('show no secret that is known, and nothing that looks like one', () => {
    const { log, lines, masker } = logging(format);
    masker.learn('hunter2-hunter2');
    log('info', 'with hunter2-hunter2', { url: 'https://user:pa55@host/', password: 'plain', list: ['aHVudGVyMi1odW50ZXIy'] });
    expect(lines[0]).not.toMatch(/hunter2|pa55|plain|aHVudGVy/);
    expect(lines[0]).toContain('***');
  });

  test('are left out below the level', () => {
    const all: LogLevel[] = ['debug', 'info', 'warn', 'error'];
    for (const level of [...all, 'silent'] as const) {
      const { log, lines } = logging(format, level);
      for (const each of all) log(each, each);
      expect(lines).toHaveLength(level === 'silent' ? 0 : all.length - all.indexOf(level));
    }
  });
});

test('a silent log says nothing and takes everything', () => {
  expect(silentLog('error', 'x', { a: 1 })).toBeUndefined();
});

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at);

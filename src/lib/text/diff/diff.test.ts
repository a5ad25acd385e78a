import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../../../test/support/cpu-ms.ts';
import { tempDir } from '../../../../test/support/temp-dir.ts';
import { applyPatch } from './apply-patch.ts';
import { changesBetween } from './changes.ts';
import { unifiedDiff } from './unified.ts';

const diff = (left: string, right: string, context = 3) => unifiedDiff(left, right, { context, leftName: 'a', rightName: 'b' });

/** Texts whose lines look like parts of a patch, with all line ends and without a last one. */
const texts = fc
  .tuple(
    fc.array(
      fc.tuple(
        fc.constantFrom('a', 'b', 'c', 'd', '', '-- x', '++ y', '@@ -1 +1 @@', '\\ z', '--- q', '+++ r'),
        fc.constantFrom('\n', '\n', '\r\n', '\r'),
      ),
      { maxLength: 14 },
    ),
    fc.constantFrom('', 'end', 'end\r'),
  )
  .map(([lines, last]) => lines.map(([text, end]) => text + end).join('') + last);

describe('a difference', () => {
  test('turns one text into the other', async () => {
    await fc.assert(
      fc.asyncProperty(texts, texts, fc.nat(4), async (left, right, context) => {
        const patch = await diff(left, right, context);
        expect(applyPatch(left, patch)).toBe(right);
        expect(patch === '').toBe(left === right);
      }),
      { numRuns: 1_000 },
    );
  });

  test('marks a last line without an end', async () => {
    expect(await diff('a\nb', 'a\nc\n')).toBe('--- a\n+++ b\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n');
  });

  test('writes a name that would break its line as a C string', async () => {
    expect(await unifiedDiff('a\n', 'b\n', { context: 0, leftName: 'x\ny', rightName: 'z' })).toBe(
      '--- "x\\ny"\n+++ z\n@@ -1 +1 @@\n-a\n+b\n',
    );
  });

  test('is short where every tenth line of many changed', async () => {
    const left = Array.from({ length: 200_000 }, (_, at) => `line ${at}\n`);
    const right = left.map((line, at) => (at % 10 === 0 ? `changed ${at}\n` : line));
    expect(await changesBetween(left, right)).toHaveLength(20_000);
  });

  test('of texts that share nothing in order is found in bounded time, and right', async () => {
    const random = (seed: number) => Array.from({ length: 30_000 }, (_, at) => `${(at * seed) % 97}\n`).join('');
    const started = cpuMs();
    const patch = await diff(random(31), random(53));
    expect(cpuMs() - started).toBeLessThan(8_000);
    expect(applyPatch(random(31), patch)).toBe(random(53));
  });
});

describe('a patch', () => {
  const old = 'one\ntwo\nthree\n';
  const patch = '@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n';

  test.each([
    ['with a preamble', `diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n${patch}`],
    ['with a section name', patch.replace('+1,3 @@', '+1,3 @@ function f()')],
    ['without its last line end', patch.slice(0, -1)],
    ['with a mail signature', `${patch}-- \n2.39.0\n`],
    ['turned to CRLF on its way', patch.replaceAll('\n', '\r\n')],
  ])('%s fits', (_about, text) => {
    expect(applyPatch(old, text)).toBe('one\n2\nthree\n');
  });

  test('for a file with CRLF keeps CRLF', () => {
    expect(applyPatch('one\r\ntwo\r\nthree\r\n', patch.replaceAll(/(?<!@@)\n/g, '\r\n'))).toBe('one\r\n2\r\nthree\r\n');
    expect(applyPatch('one\r\ntwo\r\nthree\r\n', patch.replaceAll('\n', '\r\n'))).toBe('one\r\n2\r\nthree\r\n');
  });

  test('with a stripped empty line fits', () => {
    expect(applyPatch('a\n\nb\n', '@@ -1,3 +1,3 @@\n-a\n+A\n\n b\n')).toBe('A\n\nb\n');
  });

  test('that is empty changes nothing', () => {
    expect(applyPatch(old, '')).toBe(old);
  });

  test.each([
    ['one\nTWO\nthree\n', patch, 'Hunk 1 of the patch does not fit at line 2: "two" was expected there, not "TWO"'],
    ['one\r\ntwo\r\nthree\r\n', patch, 'the line there ends differently'],
    ['one\ntwo\nthree', patch, 'the line there ends differently'],
    ['one\n', patch, 'the file has only 1 lines'],
    ['', patch, 'the file has only 0 lines'],
    [old, '@@ -1,3 +1,3 @@\n one\n-two\n', 'the patch ends inside a hunk'],
    [old, '@@ -1,1 +1,1 @@\n-one\n+1\n-two\n', 'more lines than its header says'],
    [old, '@@ -1,1 +1,2 @@\n-one\n-two\n', 'more lines of one side than its header says'],
    [old, '@@ nonsense @@\n', 'broken at its line 1'],
    [old, 'hello', 'holds no hunk'],
    [old, '@@ -1 +1 @@\n-one\n+1\n@@ -1 +1 @@\n-one\n+1\n', 'overlaps the one before'],
    [old, `--- a\n+++ a\n${patch}--- b\n+++ b\n${patch}`, 'a second file begins here'],
    [old, '@@ -1 +1 @@\n-one\n+1\n\\ No newline at end of file\n', 'without a line end before other lines'],
    [old, '@@ -1 +1 @@\n*one\n', 'must begin with a blank, + or -'],
  ])('for %j with %j is refused', (text, refused, message) => {
    expect(() => applyPatch(text, refused)).toThrow(message);
  });
});

const programs = ['diff', 'patch'].filter((name) => spawnSync(name, ['--version']).status !== 0);

describe.skipIf(programs.length > 0)(`with the programs diff and patch${programs.map((name) => ` (${name} is missing)`).join('')}`, () => {
  const sample = fc.sample(fc.tuple(texts, texts), { numRuns: 60, seed: 7 });

  test('patch applies what we write', async () => {
    for (const [left, right] of sample) {
      using dir = tempDir({ a: left });
      const text = await diff(left, right);
      if (text === '') continue;
      const { status, stdout } = spawnSync('patch', ['--binary', '--posix', 'a'], { cwd: dir.path, input: text });
      expect(status, `${JSON.stringify([left, right, text])} ${stdout}`).toBe(0);
      // GNU patch removes a file that a patch empties.
      expect(dir.read('a') ?? '').toBe(right);
    }
  });

  test('we apply what diff writes', () => {
    for (const [left, right] of sample) {
      for (const context of ['0', '3']) {
        using dir = tempDir({ a: left, b: right });
        const { stdout } = spawnSync('diff', ['--text', '-U', context, 'a', 'b'], { cwd: dir.path });
        expect(applyPatch(readFileSync(dir.at('a'), 'utf8'), stdout.toString())).toBe(right);
      }
    }
  });
});

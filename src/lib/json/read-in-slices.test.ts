import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from './read.ts';
import { readJsonInSlices } from './read-in-slices.ts';

const filler = Array.from({ length: 30_000 }, (_, at) => at);
const readBoth = async (text: string) => {
  const attempt = async (read: () => unknown) => {
    try {
      return { value: await read() };
    } catch (fault) {
      return { fault: String(fault) };
    }
  };
  const bytes = Buffer.from(text);
  return [await attempt(() => readJsonInSlices(bytes, { maxDepth: 12 })), await attempt(() => readJson(bytes, { maxDepth: 12 }))] as const;
};

test('a long text is read as it is at once, wherever it is cut', async () => {
  const key = fc.oneof(fc.constantFrom('__proto__', '7', '', 'toString'), fc.string({ unit: 'binary' }));
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 2 }),
      fc.constant(filler),
      fc.constant('x'.repeat(100_000)),
      fc.array(tie('tree'), { maxLength: 5 }),
      fc.array(fc.tuple(key, tie('tree')), { maxLength: 5 }).map((entries) => Object.fromEntries(entries)),
    ),
  }));
  const padding = fc.array(fc.constantFrom('', ' ', '\n\t '), { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(tree, padding, async (value, [space = '']) => {
      const text = `${space}${JSON.stringify([value, filler, { a: value, filler, 9: [filler], z: value }, value], null, space === '' ? 0 : 1)}${space}`;
      const [inSlices, atOnce] = await readBoth(text);
      expect(inSlices).toEqual(atOnce);
      expect(JSON.stringify(inSlices.value)).toBe(JSON.stringify(atOnce.value));
    }),
    { numRuns: 12 },
  );
});

test.each([
  ['cut off', (text: string) => text.slice(0, -3)],
  ['with something behind it', (text: string) => `${text} x`],
  ['with a key that stands twice, far apart', (text: string) => `{"a":1,"b":${text},"a":2}`],
  ['with a comma too many', (text: string) => text.replace(/\]$/, ',]')],
  ['with a number that would be rounded', (text: string) => text.replace('29999', '99999999999999999999')],
  ['that nests too deeply', (text: string) => `[[[[[[[[[[[[[${text}]]]]]]]]]]]]]`],
])('a long text %s is refused in the same words', async (_, spoil) => {
  const [inSlices, atOnce] = await readBoth(spoil(JSON.stringify([filler, filler])));
  expect(inSlices.fault).toBeDefined();
  expect(inSlices).toEqual(atOnce);
});

test('others have their turn while a long text is read', async () => {
  const text = Buffer.from(JSON.stringify(Array.from({ length: 40 }, () => filler)));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns += 1;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await readJsonInSlices(text, {});
  isOver = true;
  expect(turns).toBeGreaterThan(1);
});

/** The longest input: what readers bound by themselves is tried by their own tests. */
const LONGEST = 64 * 1024;

type Random = () => number;

const below = (random: Random, end: number): number => Math.floor(random() * end);
const oneOf = <T>(random: Random, values: readonly T[]): T | undefined => values[below(random, values.length)];

const ODD_BYTES = [0x00, 0x01, 0x0a, 0x0d, 0x20, 0x22, 0x2f, 0x5c, 0x7f, 0x80, 0xc0, 0xff];
const ODD_NUMBERS = [0, 1, 0x7f, 0x80, 0xff, 0x7fff, 0x8000, 0xffff, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff];

/** Ways to change an input; each gives a new one. */
const changes: readonly ((input: Buffer, random: Random, words: readonly string[], others: readonly Buffer[]) => Buffer)[] = [
  (input, random) => withByte(input, random, (input[at(input, random)] ?? 0) ^ (1 << below(random, 8))),
  (input, random) => withByte(input, random, oneOf(random, ODD_BYTES) ?? 0),
  (input, random) => putIn(input, at(input, random), Buffer.from([oneOf(random, ODD_BYTES) ?? 0])),
  (input, random, words) => putIn(input, at(input, random), Buffer.from(oneOf(random, words) ?? '')),
  (input, random, words) => replaced(input, at(input, random), Buffer.from(oneOf(random, words) ?? '')),
  (input, random) => takeOut(input, at(input, random), 1 + below(random, 16)),
  (input, random) => {
    const from = at(input, random);
    return putIn(input, at(input, random), input.subarray(from, from + 1 + below(random, 64)));
  },
  (input, random) => input.subarray(0, at(input, random)),
  (input, random, _, others) => {
    const other = oneOf(random, others) ?? input;
    return Buffer.concat([input.subarray(0, at(input, random)), other.subarray(at(other, random))]);
  },
  (input, random) => {
    const number = Buffer.alloc(4);
    number.writeUInt32LE(oneOf(random, ODD_NUMBERS) ?? 0);
    return replaced(input, at(input, random), random() < 0.5 ? number : number.reverse());
  },
  (input, random) => {
    const from = at(input, random);
    const part = input.subarray(from, from + 1 + below(random, 8));
    return putIn(input, from, Buffer.concat(Array.from({ length: 1 + below(random, 300) }, () => part)));
  },
];

const at = (input: Buffer, random: Random): number => below(random, input.length + 1);
const putIn = (input: Buffer, place: number, bytes: Buffer): Buffer =>
  Buffer.concat([input.subarray(0, place), bytes, input.subarray(place)]);
const replaced = (input: Buffer, place: number, bytes: Buffer): Buffer =>
  Buffer.concat([input.subarray(0, place), bytes, input.subarray(place + bytes.length)]);
const takeOut = (input: Buffer, place: number, count: number): Buffer =>
  Buffer.concat([input.subarray(0, place), input.subarray(place + count)]);
const withByte = (input: Buffer, random: Random, byte: number): Buffer => replaced(input, at(input, random), Buffer.from([byte]));

/** Words of JSON, for lists in the wrong places. */
const VALUES: readonly unknown[] = [null, true, 0, -1, 1e308, '', '..', '${results[0].value}', [], {}, [[]], 'x'.repeat(300)];

/** Changes a value somewhere inside: structure is kept, meaning is not. */
const mutateJson = (value: unknown, random: Random): unknown => {
  if (random() < 0.15) return oneOf(random, VALUES);
  if (Array.isArray(value)) {
    if (random() < 0.2) return [...value, ...value];
    if (value.length === 0) return [oneOf(random, VALUES)];
    const changed = below(random, value.length);
    return value.map((each, index) => (index === changed ? mutateJson(each, random) : each));
  }
  if (typeof value !== 'object' || value === null) return oneOf(random, VALUES);
  const entries = Object.entries(value);
  if (entries.length === 0 || random() < 0.1) return { ...value, [String(oneOf(random, VALUES))]: oneOf(random, VALUES) };
  const changed = below(random, entries.length);
  return Object.fromEntries(entries.map(([key, each], index) => [key, index === changed ? mutateJson(each, random) : each]));
};

/** Another input, made of examples: a few changes of its bytes, or of what it says where it is JSON. */
export const mutate = (examples: readonly Buffer[], words: readonly string[], random: Random): Buffer => {
  let input = oneOf(random, examples) ?? Buffer.alloc(0);
  const parsed = random() < 0.5 ? tryJson(input) : undefined;
  if (parsed !== undefined) {
    let value = parsed.value;
    for (let times = 1 + below(random, 4); times > 0; times -= 1) value = mutateJson(value, random);
    input = Buffer.from(JSON.stringify(value) ?? 'null');
    if (random() < 0.8) return input.subarray(0, LONGEST);
  }
  for (let times = 1 + below(random, 6); times > 0; times -= 1) input = oneOf(random, changes)?.(input, random, words, examples) ?? input;
  return input.subarray(0, LONGEST);
};

const tryJson = (input: Buffer): { readonly value: unknown } | undefined => {
  try {
    return { value: JSON.parse(input.toString()) };
  } catch {
    return undefined;
  }
};

import { isUtf8 } from 'node:buffer';
import { createRecordWriter, MAX_HEAD_BYTES, MAX_TEXT_BYTES, type RecordWriter } from '../../kernels/json/record-writer.ts';
import { grown, type Harvest, pathsOf } from './harvest.ts';
import { addMatches, type GrepMatch } from './matches.ts';

/** Turns the text of each match into the whole match as JSON, with a comma before it. */
export type WriteJson = (harvest: Harvest) => Harvest;

/** Prepares that on this thread. `shown` is the root as the caller calls it. */
export const createJsonWriter = (shown: string, maxLineChars: number): WriteJson => {
  const writer = createRecordWriter(Buffer.from(BETWEEN), Buffer.from(BEHIND));
  const maxBytes = Math.min(maxLineChars, MAX_TEXT_BYTES);
  return (harvest) => {
    const isUsual = writer !== undefined && harvest.surroundings.length === 0 && longestOf(harvest) <= maxBytes;
    return (isUsual ? inBulk(harvest, shown, writer) : undefined) ?? oneByOne(harvest, shown, maxLineChars);
  };
};

const BETWEEN = ',"text":"';
const BEHIND = '"}';
/** What a record may have beside head and text before the room for all of them has to grow. */
const OTHER_BYTES = BETWEEN.length + BEHIND.length + 8;

/** Undefined where it cannot be done without looking at each line. */
const inBulk = (harvest: Harvest, shown: string, writer: RecordWriter): Harvest | undefined => {
  const { fileEnds, lines: numbers, text, ends } = harvest;
  const heads = pathsOf(harvest, shown).map((path) => Buffer.from(`,{"path":${JSON.stringify(path)},"line":`));
  const longestHead = heads.reduce((longest, { byteLength }) => Math.max(longest, byteLength), 0);
  if (longestHead > MAX_HEAD_BYTES) return undefined;
  let json = new Uint8Array(text.byteLength + numbers.length * (longestHead + OTHER_BYTES));
  let length = 0;
  const jsonEnds = new Uint32Array(numbers.length);
  let from = 0;
  for (const [file, head] of heads.entries()) {
    for (const to = fileEnds[file] ?? 0; from < to; ) {
      const { count, text: records, ends: recordEnds } = writer.write({ text, ends, numbers }, from, to, head, length);
      if (length + records.byteLength > json.byteLength) json = grown(json, new Uint8Array(2 * (length + records.byteLength)));
      json.set(records, length);
      for (let at = 0; at < count; at += 1) jsonEnds[from + at] = recordEnds[at] ?? 0;
      length += records.byteLength;
      from += count;
    }
  }
  const written = json.subarray(0, length);
  // Each line is between quotes now, so that the end of one and the beginning of the next cannot pass for a character.
  return harvest.isAscii || isUtf8(written) ? { ...harvest, text: written, ends: jsonEnds } : undefined;
};

const longestOf = ({ ends }: Harvest): number => {
  let longest = 0;
  let start = 0;
  for (let at = 0; at < ends.length; at += 1) {
    const end = ends[at] ?? 0;
    longest = Math.max(longest, end - start);
    start = end;
  }
  return longest;
};

const oneByOne = (harvest: Harvest, shown: string, maxLineChars: number): Harvest => {
  const matches: GrepMatch[] = [];
  addMatches(matches, harvest, shown, maxLineChars);
  const records = matches.map((match) => Buffer.from(`,${JSON.stringify(match)}`));
  let length = 0;
  const ends = Uint32Array.from(records, ({ byteLength }) => {
    length += byteLength;
    return length;
  });
  return { ...harvest, text: new Uint8Array(Buffer.concat(records)), ends, surroundings: [] };
};

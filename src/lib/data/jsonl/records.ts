import { DataOpsException, JsonActionException } from '../../../core/errors.ts';
import { readJson } from '../../json/read.ts';
import { checkDocument } from '../json/check-document.ts';
import { jsonNode } from '../json/node.ts';
import { jsonValue } from '../json/value.ts';
import { textChunks } from '../text-chunks.ts';

/** Which records of a file are wanted. */
export interface RecordsOptions {
  /** The file, for messages. */
  readonly name: string;
  readonly encoding: string;
  /** Records to leave out at the start; they are not looked at. */
  readonly offset: number;
  readonly limit: number;
}

/** A line is in memory whole, and so is an answer. */
const MAX_ANSWER_LENGTH = 64 * 1024 * 1024;
const MAX_DEPTH = 1_000;

/** The records of a JSON Lines file: one object a line, blank lines skipped. Nothing is read behind the last one wanted. */
export const readRecords = async (
  bytes: AsyncIterable<Uint8Array>,
  { name, encoding, offset, limit }: RecordsOptions,
): Promise<unknown[]> => {
  const records: unknown[] = [];
  let length = 0;
  let met = 0;
  if (limit === 0) return records;
  await eachLine(bytes, { name, encoding }, (text, line) => {
    if (isBlank(text)) return true;
    met += 1;
    if (met <= offset) return true;
    length += text.length;
    if (length > MAX_ANSWER_LENGTH)
      throw lineFault(
        name,
        line,
        `the records up to here are more than ${MAX_ANSWER_LENGTH} characters; ask for fewer with limit and offset`,
      );
    records.push(readRecord(text, name, line));
    return records.length < limit;
  });
  return records;
};

const isBlank = (text: string): boolean => text === '' || (!text.startsWith('{') && text.trim() === '');

/** Hands over the lines one by one until the taker answers false; without a promise for each, which would cost more than the lines. */
const eachLine = async (
  bytes: AsyncIterable<Uint8Array>,
  { name, encoding }: Pick<RecordsOptions, 'name' | 'encoding'>,
  take: (text: string, line: number) => boolean,
): Promise<void> => {
  let kept = '';
  let line = 0;
  for await (const { text, badByte } of textChunks(bytes, { encoding, isStart: true })) {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      line += 1;
      if (!take(kept + text.slice(from, end), line)) return;
      kept = '';
      from = end + 1;
    }
    kept += text.slice(from);
    if (badByte !== undefined)
      throw lineFault(name, line + 1, `the byte at offset ${badByte} is not valid ${encoding}; name the encoding the file is really in`);
    if (kept.length > MAX_ANSWER_LENGTH)
      throw lineFault(name, line + 1, `the line is longer than ${MAX_ANSWER_LENGTH} characters; write one record a line`);
  }
  take(kept, line + 1);
};

const readRecord = (text: string, name: string, line: number): unknown => {
  const record = readLine(text, name, line);
  if (typeof record === 'object' && record !== null && !Array.isArray(record)) return record;
  throw lineFault(
    name,
    line,
    `the line holds ${record === null ? 'null' : Array.isArray(record) ? 'a list' : 'a plain value'}, not an object; write records as {"key": value}`,
  );
};

/** What may be a number that a double cannot stand for; such lines are many where there is one. */
const LONG_NUMBER = /\d{16}|\d[eE]/;

const readLine = (text: string, name: string, line: number): unknown => {
  try {
    return LONG_NUMBER.test(text) ? readLongNumbers(text, name, line) : readJson(text, { maxDepth: MAX_DEPTH });
  } catch (fault) {
    if (fault instanceof JsonActionException) throw translated(fault, name, line, fault.context.column);
    throw fault;
  }
};

/** The line with numbers that a double cannot stand for as texts. */
const readLongNumbers = (text: string, name: string, line: number): unknown => {
  const findings = checkDocument({ text, name: undefined, excerpt: false });
  if (findings.hasExtras) throw lineFault(name, line, 'JSON Lines has no comments and no comma before a bracket; remove them');
  return jsonValue(text, jsonNode(text, 0, findings.longValues), findings);
};

/** The reader speaks of line 1, since it is given one line. */
const translated = ({ message }: JsonActionException, name: string, line: number, column: unknown): DataOpsException =>
  new DataOpsException(`${name}, line ${line}, column ${column}: ${message.replace(/^Line \d+, column \d+: /, '')}`, {
    context: { path: name, line, column: Number(column) },
  });

const lineFault = (name: string, line: number, words: string): DataOpsException =>
  new DataOpsException(`${name}, line ${line}: ${words}.`, { context: { path: name, line } });

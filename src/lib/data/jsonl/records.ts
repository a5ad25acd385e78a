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
  for await (const { text, line } of lines(bytes, { name, encoding })) {
    if (text.trim() === '') continue;
    met += 1;
    if (met <= offset) continue;
    length += text.length;
    if (length > MAX_ANSWER_LENGTH)
      throw lineFault(
        name,
        line,
        `the records up to here are more than ${MAX_ANSWER_LENGTH} characters; ask for fewer with limit and offset`,
      );
    records.push(readRecord(text, name, line));
    if (records.length === limit) break;
  }
  return records;
};

interface Line {
  readonly text: string;
  readonly line: number;
}

async function* lines(
  bytes: AsyncIterable<Uint8Array>,
  { name, encoding }: Pick<RecordsOptions, 'name' | 'encoding'>,
): AsyncGenerator<Line> {
  let kept = '';
  let line = 0;
  for await (const { text, badByte } of textChunks(bytes, { encoding, isStart: true })) {
    let from = 0;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      line += 1;
      yield { text: kept + text.slice(from, end), line };
      kept = '';
      from = end + 1;
    }
    kept += text.slice(from);
    if (badByte !== undefined)
      throw lineFault(name, line + 1, `the byte at offset ${badByte} is not valid ${encoding}; name the encoding the file is really in`);
    if (kept.length > MAX_ANSWER_LENGTH)
      throw lineFault(name, line + 1, `the line is longer than ${MAX_ANSWER_LENGTH} characters; write one record a line`);
  }
  yield { text: kept, line: line + 1 };
}

const readRecord = (text: string, name: string, line: number): unknown => {
  const record = readLine(text, name, line);
  if (typeof record === 'object' && record !== null && !Array.isArray(record)) return record;
  throw lineFault(
    name,
    line,
    `the line holds ${record === null ? 'null' : Array.isArray(record) ? 'a list' : 'a plain value'}, not an object; write records as {"key": value}`,
  );
};

const readLine = (text: string, name: string, line: number): unknown => {
  try {
    return readJson(text, { maxDepth: MAX_DEPTH });
  } catch (fault) {
    if (!(fault instanceof JsonActionException)) throw fault;
    const { reason, column } = fault.context;
    if (reason === 'integer_range' || reason === 'overflow') return readLongNumbers(text, name, line);
    throw translated(fault, name, line, column);
  }
};

/** The same line again, numbers that a double cannot stand for as texts. */
const readLongNumbers = (text: string, name: string, line: number): unknown => {
  try {
    const findings = checkDocument({ text, name: undefined, excerpt: false });
    if (findings.hasExtras) throw lineFault(name, line, 'JSON Lines has no comments and no comma before a bracket; remove them');
    return jsonValue(text, jsonNode(text, 0), findings);
  } catch (fault) {
    if (fault instanceof JsonActionException) throw translated(fault, name, line, fault.context.column);
    throw fault;
  }
};

/** The reader speaks of line 1, since it is given one line. */
const translated = ({ message }: JsonActionException, name: string, line: number, column: unknown): DataOpsException =>
  new DataOpsException(`${name}, line ${line}, column ${column}: ${message.replace(/^Line \d+, column \d+: /, '')}`, {
    context: { path: name, line, column: Number(column) },
  });

const lineFault = (name: string, line: number, words: string): DataOpsException =>
  new DataOpsException(`${name}, line ${line}: ${words}.`, { context: { path: name, line } });

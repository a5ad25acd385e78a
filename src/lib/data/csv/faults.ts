import { DataOpsException } from '../../../core/errors.ts';

/** The most that one field holds, counted as UTF-8. */
export const MAX_FIELD_BYTES = 1024 * 1024;
/** The most columns that a file has. */
export const MAX_COLUMNS = 10_000;
/** The most characters that one record holds: it is in memory whole. */
export const MAX_RECORD_LENGTH = 64 * 1024 * 1024;

/** The one error of this room: what is wrong on which line of which file, and the remedy. */
export const csvFault = (
  name: string,
  line: number,
  words: string,
  context: { readonly [key: string]: string | number } = {},
): DataOpsException => new DataOpsException(`${name}, line ${line}: ${words}.`, { context: { path: name, line, ...context } });

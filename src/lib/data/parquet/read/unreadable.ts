import { DataOpsException, FileAutomationException, QuotaExceededException } from '../../../../core/errors.ts';
import type { EndReason } from '../../../workers/foreign/threads.ts';

/** A fault of a file, told where it was found; whoever knows the name of the file makes a typed error of it. */
export class ParquetFault extends Error {
  readonly column: string | undefined;
  readonly remedy: string | undefined;

  constructor(
    words: string,
    { column, remedy, cause }: { readonly column?: string; readonly remedy?: string; readonly cause?: unknown } = {},
  ) {
    super(words, { cause });
    this.column = column;
    this.remedy = remedy;
  }
}

/** What to do about a column that cannot be read. */
export const WITHOUT_COLUMN = 'name the other columns in columns, or have it written in another way';

/** Refuses a file where something does not hold. */
export function demand(holds: boolean, words: string): asserts holds {
  if (!holds) throw new ParquetFault(words);
}

/** Says of which column a fault is, where nobody has said so before. */
export const inColumn = (fault: unknown, column: string): unknown => {
  if (fault instanceof FileAutomationException || (fault instanceof ParquetFault && fault.column !== undefined)) return fault;
  const words = fault instanceof Error ? fault.message : String(fault);
  return new ParquetFault(words, {
    column,
    cause: fault,
    ...(fault instanceof ParquetFault && fault.remedy !== undefined && { remedy: fault.remedy }),
  });
};

/** The library complains by plain errors of many kinds; what the house itself says passes. */
export const unreadable = (name: string, fault: unknown): FileAutomationException => {
  if (fault instanceof FileAutomationException) return fault;
  const words = fault instanceof Error ? fault.message : String(fault);
  const { column, remedy = 'check that it is whole' } = fault instanceof ParquetFault ? fault : {};
  const place = column === undefined ? '' : `column ${JSON.stringify(column.slice(0, 200))}: `;
  return new DataOpsException(`${name} cannot be read as Parquet: ${place}${words}; ${remedy}.`, {
    context: { path: name, ...(column !== undefined && { column: column.slice(0, 200) }) },
    cause: fault,
  });
};

/** What a command is told whose reader had to be ended. */
export const readerEnded =
  (name: string) =>
  (why: EndReason, cause?: unknown): FileAutomationException => {
    const context = { path: name, reason: why };
    switch (why) {
      case 'memory':
        return new QuotaExceededException(`${name} needs more memory than its reader may take; ask for fewer columns and rows.`, {
          context: { ...context, limit: 'memory' },
          cause,
        });
      case 'silent':
        return new DataOpsException(`${name} keeps its reader busy without end; do not trust it, or have it written again.`, {
          context,
          cause,
        });
      case 'crashed':
        return new DataOpsException(`${name} makes its reader fail; get it again from its source.`, { context, cause });
    }
  };

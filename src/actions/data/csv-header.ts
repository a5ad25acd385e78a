import { DataOpsException } from '../../core/errors.ts';

/** The columns of a file that must have a header. */
export const demandHeader = (
  columns: readonly string[] | undefined,
  { argument, path }: { readonly argument: string; readonly path: string },
): readonly string[] => {
  if (columns !== undefined) return columns;
  throw new DataOpsException(`${path} has no header; write the column names on its first line.`, { context: { argument, path } });
};

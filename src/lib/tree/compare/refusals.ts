import { SyncException } from '../../../core/errors.ts';

/** The refusal of a name that a target without upper and lower case cannot tell from one before. */
export const differsInCase = (name: string) =>
  new SyncException(`${name} differs only in case from another name, and the target cannot hold both; rename one of them.`, {
    context: { name },
  });

/** The refusal to replace what is no file and no link. */
export const standsInTheWay = (relative: string, isDirectory: boolean) =>
  new SyncException(
    isDirectory
      ? `A directory stands at the target where ${relative} should go; allow deleting or move it away.`
      : `A pipe, socket or device stands at the target where ${relative} should go; move it away.`,
    { context: { path: relative } },
  );

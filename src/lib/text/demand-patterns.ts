import { ArgumentException, ValidationException } from '../../core/errors.ts';
import { compileGlob, type Glob } from './globs.ts';

/** Refuses an argument that is no pattern, before anything is searched. */
export const demandPatterns = (argument: string, ...patterns: readonly (string | null)[]): void => {
  for (const pattern of patterns) {
    if (pattern === null) continue;
    try {
      readPattern(pattern);
    } catch (fault) {
      if (!(fault instanceof ValidationException)) throw fault;
      throw new ArgumentException(`The argument ${argument} is no pattern. ${fault.message}`, {
        context: { ...fault.context, argument },
        cause: fault,
      });
    }
  }
};

/**
 * Compiles a pattern that somebody wrote. The extended patterns of shells, such as `@(a|b)`, are refused: taken for the characters
 * they are, they would match nothing, and nobody would be told.
 */
export const readPattern = (pattern: string): Glob => {
  const glob = compileGlob(pattern);
  if (!isExtended(pattern)) return glob;
  throw new ValidationException(
    `The pattern ${JSON.stringify(pattern.slice(0, 80))} is one of the extended patterns of shells, which are not supported; write {a,b} for alternatives, or \\( and \\) for the characters themselves.`,
    { context: { pattern: pattern.slice(0, 80) } },
  );
};

/** `@(…)`, `!(…)`, `+(…)`, `?(…)` or `*(…)`, none of it escaped or between brackets. */
const isExtended = (pattern: string): boolean => /[@!+?*]\(.*\)/s.test(pattern.replace(/\\.|\[(?:\\.|[^\]])*\]/gs, '_'));

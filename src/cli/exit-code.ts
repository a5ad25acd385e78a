import { FileAutomationException } from '../core/errors.ts';
import type { Outcome, RunResult } from '../core/result.ts';

/** What the process answers its caller. */
export const EXIT = { ok: 0, failed: 1, usage: 2, refused: 3, interrupted: 130 } as const;

/** Nothing ran: the command line, the list or the configuration has to change first. */
const USAGE = new Set([
  'ArgparseException',
  'JsonActionException',
  'ValidationException',
  'DagException',
  'PlanChangedException',
  'ConfigException',
  'SecretException',
  'SecretNotFoundException',
]);
const REFUSED = new Set(['PolicyException', 'ActionNotPermittedException', 'BindRefusedException']);

/** The exit code for an error that ended a command of the command line. */
export const exitCodeFor = (fault: unknown): number => {
  if (!(fault instanceof FileAutomationException)) return EXIT.failed;
  if (REFUSED.has(fault.type)) return EXIT.refused;
  return USAGE.has(fault.type) ? EXIT.usage : EXIT.failed;
};

/** The exit code for a finished run. */
export const exitCodeOf = (result: RunResult): number => {
  if (result.ok) return EXIT.ok;
  return result.results.some(wasRefused) ? EXIT.refused : EXIT.failed;
};

const wasRefused = ({ error, steps }: Outcome): boolean =>
  (error !== undefined && REFUSED.has(error.type)) || [steps ?? []].flat().some((run) => run.results.some(wasRefused));

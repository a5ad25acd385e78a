import type { ProgramRequest, ProgramResult } from '../../core/ports.ts';
import { PolicyException } from '../../core/errors.ts';
import type { ListRun } from '../run.ts';

/** Names that change what a program loads or runs; no caller may set them. */
const REFUSED_NAMES = /^(?:NODE_OPTIONS|LD_.*|DYLD_.*|PYTHON.*|GIT_.*)$/i;
/** The service's own configuration and secrets; no program sees them. */
const OWN_NAMES = /^FACTOTUM_/i;
/** All that a program started for a network caller inherits. */
const BARE_NAMES = ['PATH', 'HOME', 'LANG', 'TZ'];

/** Runs a program if the caller may, with an environment that holds none of the service's secrets. */
export const guardedProgram = async (list: ListRun, request: ProgramRequest): Promise<ProgramResult> => {
  const { run, foresight } = list;
  const { policy, remote } = run.caller;
  const [program] = request.argv;
  policy?.demandExecutes(program);
  if (foresight !== undefined) throw new PolicyException(`${program} must not run in a dry run.`, { context: { rule: 'dry_run', program } });
  run.env ??= run.house.readEnv();
  const env = request.env === undefined ? inherited(run.env, remote) : chosen(request.env);
  return run.house.runProgram({ ...request, env });
};

const inherited = (env: Readonly<Record<string, string | undefined>>, remote: boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => (value === undefined || OWN_NAMES.test(name) || (remote && !BARE_NAMES.includes(name)) ? [] : [[name, value]])),
  );

const chosen = (env: Readonly<Record<string, string>>): Readonly<Record<string, string>> => {
  const refused = Object.keys(env).find((name) => REFUSED_NAMES.test(name));
  if (refused !== undefined) {
    throw new PolicyException(`The variable ${refused} may not be set for a program, because it changes what the program loads; leave it out.`, {
      context: { rule: 'env', name: refused },
    });
  }
  return env;
};

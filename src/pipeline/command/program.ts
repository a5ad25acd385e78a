import { ArgumentException, PolicyException } from '../../core/errors.ts';
import { NotYetKnown } from '../../core/planning.ts';
import type { ProgramRequest, ProgramResult } from '../../core/ports.ts';
import { refuseBatchFile } from '../../lib/process/batch-file.ts';
import { isLoaderVariable } from '../../lib/process/loader-variables.ts';
import type { ListRun, Run } from '../run.ts';

type Environment = Readonly<Record<string, string>>;

/** All that a program started for a network caller inherits. */
const BARE_NAMES = ['PATH', 'HOME', 'LANG', 'TZ'];

/** Runs a program if the caller may, with an environment that holds none of the service's secrets. A dry run stops here. */
export const guardedProgram = async ({ run, foresight }: ListRun, request: ProgramRequest): Promise<ProgramResult> => {
  const { house, caller } = run;
  const { masker } = house;
  const { argv } = request;
  caller.policy?.demandExecutes(argv[0]);
  refuseBatchFile(argv[0]);
  const env = request.env === undefined ? inherited(run) : chosen(request.env);
  for (const [name, value] of Object.entries(env)) masker.learnVariable(name, value);
  if (foresight !== undefined) {
    foresight.record({ kind: 'execute', target: masker.text(argv.join(' ')) });
    throw new NotYetKnown(`what ${argv[0]} does`);
  }
  const giveBack = house.shares?.take(caller, 'maxChildren');
  try {
    return await house.runProgram({ cwd: house.cwd, ...request, env });
  } finally {
    giveBack?.();
  }
};

const inherited = (run: Run): Environment => {
  run.env ??= run.house.readEnv();
  const { remote, policy } = run.caller;
  const isInherited = (name: string) => (remote ? BARE_NAMES.includes(name) : policy === undefined || !isLoaderVariable(name));
  const entries = Object.entries(run.env).flatMap(([name, value]) => (value !== undefined && isInherited(name) ? [[name, value]] : []));
  return Object.fromEntries(entries);
};

const chosen = (env: Environment): Environment => {
  for (const name of Object.keys(env)) {
    const context = { rule: 'env', name };
    // The system takes name and value as one text, so the name `A=B` would set `A`.
    if (name === '' || /[=\0]/.test(name)) {
      throw new ArgumentException(`No variable can be called ${JSON.stringify(name)}; use a name without = and NUL.`, { context });
    }
    if (isLoaderVariable(name)) {
      throw new PolicyException(`${name} may not be set for a program, because it changes what the program loads; leave it out.`, {
        context,
      });
    }
  }
  return env;
};

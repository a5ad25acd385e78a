import { PolicyException } from '../../core/errors.ts';

/**
 * Variables by which interpreters, runtimes and tools load or run something else than they were asked to. `NODE_ENV` only names a mode,
 * and programs need it.
 */
const LOADERS =
  /^(?:BASH_ENV|BASH_FUNC_.*|PERL5(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|PYTHON.*|NODE_(?!ENV$).*|LD_.*|DYLD_.*|GIT_.*)$/i;

/** Refuses an environment that would have a program load something else. */
export const demandPlainNames = (env: Readonly<Record<string, string>>): void => {
  const name = Object.keys(env).find((each) => LOADERS.test(each));
  if (name === undefined) return;
  throw new PolicyException(`${name} may not be set for a program, because it changes what the program loads; leave it out.`, {
    context: { rule: 'env', name },
  });
};

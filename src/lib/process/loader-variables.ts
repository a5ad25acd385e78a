/**
 * Variables by which interpreters, runtimes and tools load or run something else than they were asked to. `NODE_ENV` only names a mode,
 * and programs need it.
 */
const LOADERS =
  /^(?:BASH_ENV|BASH_FUNC_.*|PERL5(?:OPT|LIB|DB)|PERLLIB|RUBY(?:OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|JDK_JAVA_OPTIONS|PYTHON.*|NODE_(?!ENV$).*|LD_.*|DYLD_.*|GIT_.*)$/i;

/** Whether a variable changes what programs load. */
export const isLoaderVariable = (name: string): boolean => LOADERS.test(name);

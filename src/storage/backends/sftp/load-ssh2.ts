import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** The build lays the first one beside the library, without its install script; the second is there in the project. */
const BROUGHT = ['./ssh2/index.cjs', 'ssh2'] as const;

/** The library, which is loaded when a connection is first opened. */
export const loadSsh2 = (): typeof import('ssh2') => {
  const [built, installed] = BROUGHT;
  try {
    return require(built);
  } catch (fault) {
    if (fault instanceof Error && 'code' in fault && fault.code === 'MODULE_NOT_FOUND') return require(installed);
    throw fault;
  }
};

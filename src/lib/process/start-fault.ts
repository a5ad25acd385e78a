import { access, constants, stat } from 'node:fs/promises';
import { ShellException } from '../../core/errors.ts';
import { isTransientCode } from '../../core/transient.ts';
import { codeOf } from '../fs/system-fault.ts';

/** What could not be started, and where. */
export interface StartPlace {
  readonly program: string;
  readonly cwd: string | undefined;
}

/** Tells why a program did not start. The system uses the same codes for program and working directory, so the latter is looked at. */
export const startFault = async (fault: unknown, { program, cwd }: StartPlace): Promise<ShellException> => {
  const code = codeOf(fault);
  const context = { program, ...(code !== undefined && { code }) };
  const wrongCwd = cwd === undefined ? undefined : await faultOfDirectory(cwd);
  if (cwd !== undefined && wrongCwd !== undefined) {
    return new ShellException(`The working directory ${cwd} ${wrongCwd}.`, { context: { ...context, cwd }, cause: fault });
  }
  return new ShellException(sentence(code, program), { context, cause: fault, retryable: isTransientCode(code) });
};

const faultOfDirectory = async (path: string): Promise<string | undefined> => {
  try {
    if (!(await stat(path)).isDirectory()) return 'is not a directory; name one that is';
    await access(path, constants.X_OK);
    return undefined;
  } catch (fault) {
    return codeOf(fault) === 'ENOENT'
      ? 'does not exist; create it or name another one'
      : 'cannot be entered; check its path, mode and owner';
  }
};

const sentence = (code: string | undefined, program: string): string => {
  switch (code) {
    case 'ENOENT':
      return program.includes('/')
        ? `No program is at ${program}, or the interpreter that its first line names is missing; check both paths.`
        : `No program called ${program} is on the search path; install it, name its full path, or check PATH.`;
    case 'EACCES':
      return `${program} may not be executed; name a program file and check its mode and those of its directories.`;
    case 'ENOTDIR':
      return `A part of the path ${program} is not a directory; check the path.`;
    case 'E2BIG':
      return `The arguments and environment of ${program} are larger than the system takes; hand large data over in a file.`;
    case 'ETXTBSY':
      return `${program} is being written; try again when that is done.`;
    case undefined:
      return `${program || 'A program without a name'} cannot be started with these arguments; name a program and leave out NUL characters.`;
    default:
      return isTransientCode(code)
        ? `The system cannot start ${program} at the moment (${code}); try again when fewer programs run.`
        : `The system refused to start ${program} with ${code}; look up that code for the reason.`;
  }
};

import { ShellException } from '../../core/errors.ts';

/** Refuses what Windows runs through its shell, which reads arguments as commands; dots and spaces at the end of a name do not count there. */
export const refuseBatchFile = (program: string): void => {
  if (!/\.(?:bat|cmd)[. ]*$/i.test(program)) return;
  throw new ShellException(`${program} is a batch file, which only a shell can run; name the program that it starts.`, {
    context: { program },
  });
};

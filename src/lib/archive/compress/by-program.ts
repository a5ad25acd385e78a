import { ArchiveException, ShellException } from '../../../core/errors.ts';
import { throughProgram } from '../../process/stream-program.ts';
import type { PackOptions } from './compression.ts';

/** No library writes these two well, so the programs that everybody has do. */
const packBy = (argv: readonly [string, ...string[]]) =>
  async function* (chunks: AsyncIterable<Uint8Array>, options: PackOptions): AsyncGenerator<Uint8Array> {
    try {
      yield* throughProgram(chunks, argv, options);
    } catch (fault) {
      throw fault instanceof ShellException && fault.context.code === 'ENOENT' ? notInstalled(argv[0], fault) : fault;
    }
  };

const notInstalled = (program: string, cause: unknown) =>
  new ArchiveException(
    `Writing this format needs the program ${program}, which is not on the search path; install it or choose gz or zst.`,
    { context: { program }, cause },
  );

/** One thread: the result then does not depend on the number of cores. */
export const packXz = packBy(['xz', '--compress', '--stdout', '--threads=1', '-6']);
export const packBz2 = packBy(['bzip2', '--compress', '--stdout', '-9']);

import { ArchiveException, type Json } from '../../core/errors.ts';

/** An archive that is not what its format demands. `what` is a clause about the archive: `ends in the middle of an entry`. */
export const broken = (what: string, context: { readonly [key: string]: Json } = {}, cause?: unknown): ArchiveException =>
  new ArchiveException(`The archive ${what}; get it again from its source or make it anew.`, { context, cause });

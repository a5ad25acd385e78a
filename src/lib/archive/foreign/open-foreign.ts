import type { ByteSource } from '../byte-source.ts';
import type { OpenArchive, OpenOptions } from '../open-archive.ts';
import { openRar } from './rar/open-rar.ts';
import { openSeven } from './seven/open-seven.ts';

/** Reads an archive of a format whose contents only foreign code unpacks. */
export const openForeign = (source: ByteSource, format: '7z' | 'rar', options: OpenOptions): Promise<OpenArchive> =>
  format === 'rar' ? openRar(source, options) : openSeven(source, options);

import type { ByteSource } from './byte-source.ts';
import { type CompressionName, compressionCalled } from './compress/compressions.ts';
import type { ArchiveFormat } from './format.ts';
import type { OpenArchive, OpenOptions } from './open-archive.ts';
import { openBare } from './open-bare.ts';
import { openTar } from './tar/open-tar.ts';
import { openZip } from './zip/open-zip.ts';

/** What opening an archive of any format needs. */
export interface AnyOpenOptions extends OpenOptions {
  /** What the only entry of a bare compressed file is called. */
  readonly bareName: string;
}

/** Opens an archive whose format is known. */
export const openByFormat = async (
  source: ByteSource,
  format: ArchiveFormat,
  { bareName, ...options }: AnyOpenOptions,
): Promise<OpenArchive> => {
  switch (format) {
    case 'zip':
      return openZip(source, options);
    case 'tar':
      return openTar(source, undefined, options);
    case 'tar.gz':
    case 'tar.bz2':
    case 'tar.xz':
    case 'tar.zst':
      // The part behind the dot is the name of the compression.
      return openTar(source, compressionCalled(format.slice(4) as CompressionName), options);
    case 'gz':
    case 'bz2':
    case 'xz':
    case 'zst':
      return openBare(source, compressionCalled(format), { ...options, name: bareName });
    case '7z':
    case 'rar': {
      const { openForeign } = await import('./foreign/open-foreign.ts');
      return openForeign(source, format, options);
    }
  }
};

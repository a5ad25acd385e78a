// Archives: zip/ and tar/ by their own names, any/ by content. pack/ collects what goes in, extract/ puts out what was judged.
// Formats, the judge of hostile entries and the limits are in lib/archive; read extract/extract.ts first.
import { defineFamily } from '../../core/action.ts';
import { archiveFormats } from './any/archive-formats.ts';
import { detectArchiveFormat } from './any/detect-archive-format.ts';
import { extractArchive } from './any/extract-archive.ts';
import { listArchive } from './any/list-archive.ts';
import { createTar } from './tar/create-tar.ts';
import { extractTar } from './tar/extract-tar.ts';
import { readZipFile } from './zip/read-zip-file.ts';
import { setZipPassword } from './zip/set-zip-password.ts';
import { unzipAll } from './zip/unzip-all.ts';
import { unzipFile } from './zip/unzip-file.ts';
import { zipDir } from './zip/zip-dir.ts';
import { zipFile } from './zip/zip-file.ts';
import { zipFileInfo } from './zip/zip-file-info.ts';
import { zipInfo } from './zip/zip-info.ts';

export const archive = defineFamily({
  name: 'archive',
  group: 'archive',
  summary: 'Archives: zip and tar in both directions, 7z and rar for reading.',
  isApart: true,
  actions: [
    createTar,
    extractTar,
    zipDir,
    zipFile,
    zipInfo,
    zipFileInfo,
    setZipPassword,
    unzipFile,
    readZipFile,
    unzipAll,
    detectArchiveFormat,
    listArchive,
    extractArchive,
    archiveFormats,
  ],
});

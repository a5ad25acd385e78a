import { defineAction } from '../../../core/action.ts';
import * as shapes from '../../../core/shapes.ts';
import { ARCHIVE_FORMATS } from '../../../lib/archive/format.ts';

export const archiveFormats = defineAction({
  name: 'FA_archive_formats',
  summary: 'Lists the archive formats that are recognised.',
  args: {},
  returns: shapes.list(shapes.text()),
  idempotent: true,
  examples: [{ args: {}, value: [...ARCHIVE_FORMATS] }],
  run: () => [...ARCHIVE_FORMATS],
});

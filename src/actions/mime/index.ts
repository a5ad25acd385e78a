// What kind of content a file or some bytes hold. The tables are lib/text/mime.ts.
import { defineAction, defineFamily } from '../../core/action.ts';
import { bytes, path } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { MIME_SAMPLE_BYTES, mimeOfBytes, mimeOfName } from '../../lib/text/mime.ts';

const detectMime = defineAction({
  name: 'FA_detect_mime',
  summary: 'Tells the MIME type of a file by its name, else by its first bytes.',
  args: { path: path('The file; it need not exist when its name tells enough.', { role: 'reads', mayBeMissing: true }) },
  returns: shapes.text(),
  idempotent: true,
  onlyLooks: true,
  examples: [
    { args: { path: 'report.pdf' }, value: 'application/pdf' },
    {
      about: 'No extension: the content tells.',
      files: { picture: { base64: 'iVBORw0KGgowMDAw' } },
      args: { path: 'picture' },
      value: 'image/png',
    },
  ],
  async run({ files }, { path: file }) {
    const named = await mimeOfName(file);
    if (named !== undefined) return named;
    const isFile = (await files.stat(file))?.kind === 'file';
    return mimeOfBytes(isFile ? await files.read(file, { limit: MIME_SAMPLE_BYTES }) : Buffer.alloc(0));
  },
});

const detectMimeBytes = defineAction({
  name: 'FA_detect_mime_bytes',
  summary: 'Tells the MIME type of bytes by their signature.',
  args: { data: bytes('The first bytes of the content, or all of them.') },
  returns: shapes.text(),
  idempotent: true,
  examples: [{ args: { data: { base64: 'JVBERi0xLjQ=' } }, value: 'application/pdf' }],
  run: (_, { data }) => mimeOfBytes(data),
});

export const mime = defineFamily({
  name: 'mime',
  group: 'files',
  summary: 'MIME types by name and content.',
  isApart: true,
  actions: [detectMime, detectMimeBytes],
});

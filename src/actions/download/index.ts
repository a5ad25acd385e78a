// Files of other machines by their URL. Which machines may be asked, and the protocol itself, stand behind the port core/ports/web.ts;
// here is what becomes of the answers. Read fetch-content.ts first.
import { defineFamily } from '../../core/action.ts';
import { downloadFile } from './download-file.ts';

export const download = defineFamily({
  name: 'download',
  group: 'remote',
  summary: 'Files from URLs.',
  actions: [downloadFile],
});

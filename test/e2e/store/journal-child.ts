// Writes an undo journal and waits to be killed.
import { openJournalFile } from '../../../src/services/engine/spool/journal-file.ts';

const [state = ''] = process.argv.slice(2);
const journal = openJournalFile(state, { runId: 'killed', source: 'cli', caller: 'owner', body: [['FA_x']], startedAt: Date.now() });
journal.append([{ index: 0, inverse: { remove: 'a' }, bytes: 7 }]);
journal.append([{ index: 1, inverse: { remove: 'b' }, bytes: 0 }]);
process.stdout.write('written\n');
setInterval(() => {}, 60_000);

// Runs lists whose changes are journalled, or undoes a run, until it is killed:
// node busy-child.mjs run <directory> <state directory>, node busy-child.mjs serve <directory> <state directory> <run>,
// node busy-child.mjs undo <state directory> <run>
import { OWNER } from '../../../src/access/caller.ts';
import { createInstance } from '../../../src/app/create.ts';
import { createRunJournals } from '../../../src/files/journal/run-journals.ts';
import { createWriteAhead } from '../../../src/files/journal/write-ahead.ts';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import { type JournalFile, openJournalFile } from '../../../src/services/engine/spool/journal-file.ts';
import { spoolRun } from '../../../src/services/engine/spool/spool-run.ts';
import { createUndo } from '../../../src/services/undo/undo.ts';
import { undoParts } from './recorded-house.ts';

const LIST = [
  ['FA_create_file', { file_path: 'created', content: 'new' }],
  ['FA_create_file', { file_path: 'old', content: 'replaced' }],
  ['FA_copy_dir', { dir_path: 'tree', target_dir_path: 'grown' }],
  ['FA_create_file', { file_path: 'grown/0/0', content: 'changed in the new tree' }],
  ['FA_copy_dir', { dir_path: 'tree', target_dir_path: 'merged' }],
  ['FA_sync_dir', { src: 'tree', dst: 'synced', delete: true }],
  ['FA_zip_dir', ['tree', 'packed']],
  ['FA_unzip_all', { zip_file_path: 'packed.zip', extract_path: 'unpacked' }],
  ['FA_unzip_all', { zip_file_path: 'packed.zip', extract_path: 'merged' }],
  ['FA_move_file', { file_path: 'here', target_path: 'there', on_conflict: 'overwrite' }],
  ['FA_move_file', { file_path: 'there', target_path: 'grown/there' }],
  ['FA_remove_file', { file_path: 'old' }],
  ['FA_remove_dir_tree', { dir_path: 'tree' }],
  ['FA_create_dir', { dir_path: 'tree' }],
];

const runForEver = async (cwd: string, stateDirectory: string): Promise<void> => {
  const files = new Map<string, JournalFile>();
  const fileOf = (runId: string): JournalFile => {
    const known = files.get(runId);
    if (known !== undefined) return known;
    const file = openJournalFile(stateDirectory, { runId, source: 'cli', caller: OWNER.name, body: LIST, startedAt: Date.now() });
    files.set(runId, file);
    return file;
  };
  const journals = createRunJournals({
    stateDirectory,
    maxBytes: 1e9,
    maxFiles: 1e6,
    now: Date.now,
    append: (runId, entries) => fileOf(runId).append(entries),
  });
  const factotum = createInstance({ cwd, log: { level: 'silent' }, journalOf: journals.of });
  await factotum.validate(LIST); // so that the code is loaded before anybody kills
  process.stdout.write('ready');
  const startedAt = Date.now();
  const result = await factotum.run(LIST);
  const failed = result.results.find(({ status }) => status !== 'ok');
  if (failed !== undefined) throw new Error(JSON.stringify(failed));
  await journals.close(result.run_id);
  const { run_id: runId, status: state, duration_ms: durationMs, counts } = result;
  spoolRun(stateDirectory, { runId, source: 'cli', caller: OWNER.name, body: LIST, state, startedAt, durationMs, counts, commands: [] });
};

/** As a service does: entries go to the store. */
const serveForEver = async (cwd: string, stateDirectory: string, runId: string): Promise<void> => {
  const store = embeddedStore({ file: storeFileIn(stateDirectory) });
  const ahead = createWriteAhead({ stateDirectory, store: store.undo.append });
  const journals = createRunJournals({
    stateDirectory,
    maxBytes: 1e9,
    maxFiles: 1e6,
    now: Date.now,
    append: ahead.append,
    flush: ahead.flush,
  });
  const factotum = createInstance({ cwd, log: { level: 'silent' }, journalOf: journals.of, settleRun: journals.close });
  await store.ready();
  await factotum.validate(LIST);
  process.stdout.write('ready');
  await factotum.gateway.run(LIST, { caller: OWNER, runId });
};

const undoForEver = async (stateDirectory: string, runId: string): Promise<void> => {
  const store = embeddedStore({ file: storeFileIn(stateDirectory) });
  const undo = createUndo({ store, ...undoParts });
  await store.ready();
  process.stdout.write('ready');
  await (await undo.undo(runId, OWNER)).finished;
};

const [what, first = '', second = '', third = ''] = process.argv.slice(2);
if (what === 'undo') await undoForEver(first, second);
else if (what === 'serve') await serveForEver(first, second, third);
else await runForEver(first, second);
setInterval(() => {}, 1_000); // waits to be killed

import { readFileSync } from 'node:fs';
import { embeddedStore, storeFileIn } from '../../../src/services/engine/embedded/embedded-store.ts';
import type { RunRecord } from '../../../src/services/engine/port/runs.ts';
import type { ShownEvent } from '../../../src/services/watchers/events/file-event.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { clockAt, MOVED_CLOCK } from './moved-clock.ts';
import { type Served, startServed } from './served.ts';

/** `kill_mark` leaves a line, and may not be repeated. It takes a while, so that it can be killed before, in and after its effect. */
const PLUGIN = `
import { appendFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
export const actions = () => ({
  async kill_mark(line) {
    await setTimeout(Math.random() * 4);
    appendFileSync(process.env.MARKS, line + '\\n');
    await setTimeout(Math.random() * 4);
    return line;
  },
});
`;

const CONFIG = `
[plugins]
paths = ["plugin"]
[[schedules]]
name = "each"
cron = "* * * * *"
overlap = "parallel"
catch_up = "all"
catch_up_max = 1000
actions = [["kill_mark", ["tick \${schedule.name} \${schedule.tick}"]]]
[[schedules]]
name = "in-turn"
cron = "* * * * *"
overlap = "queue_one"
catch_up = "all"
catch_up_max = 1000
actions = [["kill_mark", ["tick \${schedule.name} \${schedule.tick}"]]]
[[watchers]]
name = "inbox"
path = "inbox"
settle_s = 0.05
debounce_s = 0.02
rescan_s = 2
actions = [["kill_mark", ["file \${event.relative} first"]], ["FA_stat", ["\${event.path}"]], ["kill_mark", ["file \${event.relative} second"]]]
`;

/** A directory with everything that a service of its own can be busy with. */
export interface BusyPlace extends Disposable {
  /** Starts the service at this time. */
  start(at: number): Served;
  drop(name: string): void;
  /** The lines that commands have left. */
  marks(): string[];
  /** Every run of the history. */
  runs(): Promise<RunRecord[]>;
  readonly storeFile: string;
}

export const openBusyPlace = (): BusyPlace => {
  const dir = tempDir({
    'factotum.toml': CONFIG,
    'clock.cjs': MOVED_CLOCK,
    'inbox/.keep': '',
    marks: '',
    'plugin/package.json': '{"name": "killed", "version": "1.0.0", "type": "module", "factotum": {"actions": "./actions.js"}}',
    'plugin/actions.js': PLUGIN,
  });
  const storeFile = storeFileIn(dir.at('.state/factotum'));
  return {
    start: (at) =>
      startServed({
        cwd: dir.path,
        env: { ...clockAt(at, dir.at('clock.cjs')), MARKS: dir.at('marks') },
      }),
    drop: (name) => dir.write(`inbox/${name}`, name),
    marks: () => readFileSync(dir.at('marks'), 'utf8').split('\n').filter(Boolean),
    async runs() {
      await using store = embeddedStore({ file: storeFile });
      const records: RunRecord[] = [];
      for (let cursor: string | undefined | null; cursor !== null; ) {
        const page = await store.runs({ limit: 1000 }, cursor);
        for (const { runId } of page.items) {
          const record = await store.run(runId);
          if (record !== null) records.push(record);
        }
        cursor = page.cursor;
      }
      return records;
    },
    storeFile,
    [Symbol.dispose]: dir[Symbol.dispose],
  };
};

/** What references in the list of a run may name. */
const namedIn = ({ options }: RunRecord) =>
  (options as { readonly named?: { readonly event?: ShownEvent; readonly schedule?: { readonly tick: string } } } | null)?.named;

/** The change that a run is about, where it is a watcher's. */
export const eventOf = (run: RunRecord): ShownEvent | undefined => namedIn(run)?.event;

/** The time that a run is about, where it is a schedule's. */
export const tickOf = (run: RunRecord): string | undefined => namedIn(run)?.schedule?.tick;

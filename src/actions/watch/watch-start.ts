import { defineAction } from '../../core/action.ts';
import { type Bound, either, flag, integer, list, number, oneOf, path, steps, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { type Json, PolicyException, TriggerException } from '../../core/errors.ts';
import { EVENT_NAMES, type NewWatcher, type WatchKind } from '../../core/ports/watchers.ts';
import * as shapes from '../../core/shapes.ts';
import { demandWatchers, KINDS, snapshot } from './watchers.ts';

const args = {
  name: text('What the watcher is called; no other may have the name.'),
  path: path('The file or directory to watch.', { role: 'readsTree', mayBeMissing: true }),
  action_list: steps('The commands; references inside may use ${event.path}, ${event.kind}, ${event.paths} and ${event.moved_from}.', {
    names: ['event'],
    areKept: true,
  }),
  events: either(
    'What counts: created, modified, deleted, moved, one or several; null: created and modified.',
    [shapes.list(shapes.text()), shapes.text()],
    {
      default: null,
    },
  ),
  recursive: flag('Whether directories below count too.', { default: true }),
  include: list('Globs of files that count, relative to the path; none means all.', shapes.text({ minLength: 1 }), { default: [] }),
  exclude: list('Globs of files that do not count.', shapes.text({ minLength: 1 }), { default: [] }),
  settle_s: number('A file counts when size and time have not changed for this many seconds.', { default: 1, min: 0 }),
  ready_marker: text('A file counts when another one of this name, with `*` for its own, stands beside it: `*.done`.', { default: null }),
  debounce_s: number('Events of one file within this many seconds are one.', { default: 0.5, min: 0 }),
  batch: integer('How many files are handed to one run at most.', { default: 1, min: 1 }),
  on_busy: oneOf('What happens to events while the list still runs.', ['queue', 'coalesce', 'drop', 'restart'], { default: 'queue' }),
  rescan_s: number('Every so many seconds the tree is compared as a whole, for events that the system lost.', {
    default: 300,
    above: 0,
    max: 86_400,
  }),
  poll: flag('Look regularly instead of waiting for events; network mounts always do.', { default: false }),
  poll_s: number('How many seconds pass between two looks then.', { default: 5, above: 0, max: 86_400 }),
};

type Given = Bound<typeof args>;

const watcherOf = (given: Given, place: Pick<NewWatcher, 'path' | 'isPinned'>): NewWatcher => ({
  name: given.name,
  ...place,
  actions: given.action_list as Json, // it came in as JSON and arrives as written
  rules: {
    events: kindsOf(given.events),
    recursive: given.recursive,
    include: given.include,
    exclude: given.exclude,
    settleS: given.settle_s,
    readyMarker: given.ready_marker,
    debounceS: given.debounce_s,
    batch: given.batch,
    onBusy: given.on_busy,
    rescanS: given.rescan_s,
    poll: given.poll,
    pollS: given.poll_s,
  },
});

const kindsOf = (events: Given['events']): readonly WatchKind[] => {
  const written = events === null ? [] : [events].flat();
  if (written.length === 0) return ['created', 'modified'];
  return [...new Set(written.map(kindOf))].sort();
};

const kindOf = (written: string): WatchKind => {
  const kind = KINDS.find((each) => each === written.toLowerCase());
  if (kind !== undefined) return kind;
  throw new TriggerException(`${JSON.stringify(written.slice(0, 40))} is no event; use ${KINDS.join(', ')}.`, {
    context: { argument: 'events' },
  });
};

/** Everything that can be wrong with a watcher, in a dry run too. */
const prepare = async ({ files, services, validateSteps }: Context, given: Given): Promise<NewWatcher> => {
  const entry = await files.stat(given.path);
  if (entry === undefined) {
    throw new TriggerException(`Nothing is at ${files.absolute(given.path)}; create it first, or check the path.`, {
      context: { argument: 'path', path: files.absolute(given.path) },
    });
  }
  const watcher = watcherOf(given, { path: entry.path });
  await demandWatchers(services).check(watcher);
  await validateSteps(given.action_list, EVENT_NAMES);
  if (entry.kind !== 'dir') return watcher;
  // Of a caller with a policy the real path was judged, so that is what is watched.
  const { root, byHandles, shut } = await files.grant(given.path, 'read');
  if (!byHandles) return watcher;
  const [closed] = shut?.paths ?? [];
  if (closed !== undefined) throw holdsClosed(entry.path, closed);
  return { ...watcher, path: root, isPinned: true };
};

/** Names would be told as events. */
const holdsClosed = (path: string, closed: string) =>
  new PolicyException(`${path} holds ${closed}, which is closed to this caller, so it cannot be watched; watch directories beside that.`, {
    context: { rule: 'state', path, access: 'read' },
  });

/** Stores a watcher. */
export const watchStart = defineAction({
  name: 'FA_watch_start',
  summary: 'Starts a watcher that runs a list when files change, also after a restart.',
  args,
  returns: snapshot,
  examples: [
    {
      about: 'Every new table is checked and put away.',
      dirs: ['in', 'done'],
      args: {
        name: 'tables',
        path: 'in',
        action_list: [['FA_move_file', { file_path: '${event.path}', target_path: 'done' }]],
        events: ['created'],
        include: ['*.csv'],
      },
    },
  ],
  plan: prepare,
  run: async (ctx, given) => demandWatchers(ctx.services).start(await prepare(ctx, given), ctx),
});

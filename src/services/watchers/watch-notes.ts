import type { Json } from '../../core/errors.ts';
import type { WatchRules } from '../../core/ports/watchers.ts';
import type { Watcher } from '../engine/port/shelves.ts';

/** What is stored of a watcher beside its path and its list. */
export interface WatchNotes {
  readonly rules: Partial<WatchRules>;
  /** As whom its list runs. */
  readonly caller: string;
  /** Whether it stands in the configuration, which then decides about it. */
  readonly isConfigured: boolean;
  /** Whether the path is that of one file. */
  readonly isFile: boolean;
  /** Nothing is seen there once the path leads elsewhere through a link. */
  readonly isPinned: boolean;
}

/** What holds where a watcher does not say otherwise. */
export const DEFAULT_RULES: WatchRules = {
  events: ['created', 'modified'],
  recursive: true,
  include: [],
  exclude: [],
  settleS: 1,
  readyMarker: null,
  debounceS: 0.5,
  batch: 1,
  onBusy: 'queue',
  rescanS: 300,
  poll: false,
  pollS: 5,
};

/** The notes of a stored watcher. */
export const notesOf = ({ options }: Pick<Watcher, 'options'>): WatchNotes =>
  // Nobody but `toOptions` writes them.
  options as unknown as WatchNotes;

/** Notes as the store keeps them. */
export const toOptions = (notes: WatchNotes): Json =>
  // Plain values, numbers, texts and lists, all the way down.
  notes as unknown as Json;

/** The rules of a stored watcher, with what it leaves open. */
export const rulesOf = (stored: Pick<Watcher, 'options'>): WatchRules => ({ ...DEFAULT_RULES, ...notesOf(stored).rules });

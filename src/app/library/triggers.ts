import type { WatcherSnapshot, WatchRules } from '../../core/ports/watchers.ts';
import { demandKnownKeys, type KnownKeys } from '../../lib/text/known-keys.ts';
import type { ActionMap } from '../actions.generated.ts';
import type { NestedList } from '../typed/commands.ts';
import { askAction } from './call-action.ts';

/** The watchers of the shared instance. */
export interface TriggerManager {
  /** Runs a list when files change. References in it are read when it runs. */
  start(name: string, path: string, actions: NestedList, options?: Partial<WatchRules>): Promise<WatcherSnapshot>;
  stop(name: string): Promise<WatcherSnapshot>;
  stopAll(): Promise<readonly WatcherSnapshot[]>;
  list(): Promise<readonly WatcherSnapshot[]>;
}

/** Runs lists when files change, through the shared instance, which is built at first use. */
export const triggerManager: TriggerManager = {
  start: async (name, path, action_list, options = {}) => askAction('FA_watch_start', { name, path, action_list, ...argumentsOf(options) }),
  stop: (name) => askAction('FA_watch_stop', { name }),
  stopAll: () => askAction('FA_watch_stop_all', {}),
  list: () => askAction('FA_watch_list', {}),
};

type Rules = Omit<ActionMap['FA_watch_start']['args'], 'name' | 'path' | 'action_list'>;

const START: KnownKeys<WatchRules> = {
  events: true,
  recursive: true,
  include: true,
  exclude: true,
  settleS: true,
  readyMarker: true,
  debounceS: true,
  batch: true,
  onBusy: true,
  rescanS: true,
  poll: true,
  pollS: true,
};

const argumentsOf = (options: Partial<WatchRules>): Rules => {
  demandKnownKeys(options, START, 'triggerManager.start');
  return {
    ...(options.events !== undefined && { events: options.events }),
    ...(options.recursive !== undefined && { recursive: options.recursive }),
    ...(options.include !== undefined && { include: options.include }),
    ...(options.exclude !== undefined && { exclude: options.exclude }),
    ...(options.settleS !== undefined && { settle_s: options.settleS }),
    ...(options.readyMarker !== undefined && { ready_marker: options.readyMarker }),
    ...(options.debounceS !== undefined && { debounce_s: options.debounceS }),
    ...(options.batch !== undefined && { batch: options.batch }),
    ...(options.onBusy !== undefined && { on_busy: options.onBusy }),
    ...(options.rescanS !== undefined && { rescan_s: options.rescanS }),
    ...(options.poll !== undefined && { poll: options.poll }),
    ...(options.pollS !== undefined && { poll_s: options.pollS }),
  };
};

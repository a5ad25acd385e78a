import { pathToFileURL } from 'node:url';
import type { Registrable } from '../../core/registry.ts';
import type { FoundPlugin } from './discover.ts';
import { moduleInside } from './manifest.ts';

/** A plugin whose code has run. */
export interface LoadedPlugin extends Omit<FoundPlugin, 'actions'> {
  /** Names that are registered now. */
  readonly actions: readonly string[];
  /** What went wrong, in words; the rest of the plugin is in use. */
  readonly problems: readonly string[];
}

/** Makes one action known; throws where its name is taken or cannot be one. */
export type Register = (name: string, what: Registrable) => void;

/** A plugin that has not answered by then is given up. */
const PATIENCE_MS = 10_000;

/** Runs the factory of a plugin and registers what it gives. Never throws: a plugin that is broken is its own problem. */
export const loadPlugin = async (plugin: FoundPlugin, register: Register, patienceMs = PATIENCE_MS): Promise<LoadedPlugin> => {
  const { package: name, version, path } = plugin;
  const actions: string[] = [];
  const problems: string[] = [];
  try {
    for (const [action, what] of await withPatience(actionsOf(plugin), patienceMs)) {
      try {
        register(action, what);
        actions.push(action);
      } catch (fault) {
        problems.push(`${action} was refused: ${wordsOf(fault)}`);
      }
    }
  } catch (fault) {
    problems.push(wordsOf(fault));
  }
  return { package: name, version, path, actions, problems };
};

const actionsOf = async ({ actions: written, path }: FoundPlugin): Promise<[string, Registrable][]> => {
  if (typeof written !== 'string' || written === '') throw new Error('factotum.actions in its package.json must be the path of a module');
  const module: Readonly<Record<string, unknown>> = await import(pathToFileURL(await moduleInside(path, written)).href);
  const factory = module.actions ?? module.default;
  if (typeof factory !== 'function') throw new Error(`${written} must export a function called actions, or one as its default`);
  const mapping: unknown = await factory();
  if (typeof mapping !== 'object' || mapping === null || Array.isArray(mapping) || mapping instanceof Map) {
    throw new Error(`what the function of ${written} returns must be an object of names and actions`);
  }
  return Object.entries(mapping);
};

const withPatience = async <T>(work: Promise<T>, ms: number): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not answer within ${ms / 1000} s`)), ms);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    clearTimeout(timer);
  }
};

/** Anything can be thrown. */
export const wordsOf = (fault: unknown): string => (fault instanceof Error ? fault.message : String(fault));

import { FileAutomationException, type Json } from '../../core/errors.ts';
import { NotYetKnown } from '../../core/planning.ts';
import type { Status } from '../../core/result.ts';
import { rewriteJson } from '../../lib/json/rewrite.ts';
import type { Reference } from '../../pipeline/command/read-reference.ts';
import { hasReference, splitAtReferences } from '../../pipeline/command/references.ts';
import { type Scope, substitute } from '../../pipeline/command/substitute.ts';
import { parse } from '../../pipeline/list/parse.ts';
import type { Command } from '../../pipeline/run.ts';
import { builtInFamilies } from '../catalogue.ts';

/** What of a run is needed to tell what its commands were given. */
export interface ArgumentsOf {
  readonly body: Json;
  /** What references in the list name beside the usual: the event, the schedule. */
  readonly named: ReadonlyMap<string, unknown>;
  readonly startedMs: number;
  readonly commands: readonly { readonly index: number; readonly id: string | null; readonly state: string; readonly value?: unknown }[];
}

/**
 * The arguments of a command of a run as far as they can be told afterwards: what came from the event, the schedule, the start and earlier
 * results is filled in. Variables may have changed and ids were new, so they stay as written. Undefined where the list cannot be read.
 */
export const knownArguments = (run: ArgumentsOf, index: number): unknown => {
  const command = commandAt(run.body, index);
  if (command?.given === undefined) return undefined;
  const scope = scopeOf(run);
  const nested = new Set(nestedPlaces(command));
  const entries = Object.entries(command.given).map(
    // Results that a nested list names are its own.
    ([key, value]) => [key, filled(value, scope, nested.has(key) ? IN_NESTED : KNOWN)] as const,
  );
  return Array.isArray(command.given) ? entries.map(([, value]) => value) : Object.fromEntries(entries);
};

const commandAt = (body: Json, index: number): Command | undefined => {
  try {
    return parse(body).commands[index];
  } catch (fault) {
    if (fault instanceof FileAutomationException) return undefined; // a list that was refused has no arguments either
    throw fault;
  }
};

const KNOWN: ReadonlySet<Reference['kind']> = new Set(['named', 'result', 'node', 'date']);
const IN_NESTED: ReadonlySet<Reference['kind']> = new Set(['named', 'date']);

const filled = (value: unknown, scope: Scope, kinds: ReadonlySet<Reference['kind']>): unknown => {
  const read = (reference: Reference): unknown => {
    if (!kinds.has(reference.kind)) return reference.written;
    try {
      return substitute(reference.written, scope);
    } catch (fault) {
      if (fault instanceof FileAutomationException || fault instanceof NotYetKnown) return reference.written;
      throw fault;
    }
  };
  const text = (written: string): unknown => {
    if (!hasReference(written)) return written;
    const parts = splitAtReferences(written).map((part) => (typeof part === 'string' ? part : read(part)));
    return parts.length === 1 ? parts[0] : parts.map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('');
  };
  return typeof value === 'string' ? text(value) : rewriteJson(value, { text });
};

const ENDED_WELL: ReadonlySet<string> = new Set<Status>(['ok', 'reused']);

const scopeOf = ({ named, startedMs, commands }: ArgumentsOf): Scope => {
  const unknown = (): never => {
    throw new NotYetKnown('what a reference stood for');
  };
  const valueIn = (command: ArgumentsOf['commands'][number] | undefined): unknown =>
    command !== undefined && ENDED_WELL.has(command.state) && command.value !== undefined ? command.value : unknown();
  return {
    env: unknown,
    uuid: unknown,
    cwd: '',
    date: new Date(startedMs),
    named,
    result: (at) => valueIn(commands.find(({ index }) => index === at)),
    node: (id) => valueIn(commands.find((command) => command.id === id)),
  };
};

/** Where a built-in action holds nested lists, by name and by position. */
const nestedPlaces = ({ name }: Command): readonly string[] => {
  const actions = builtInFamilies().flatMap((family) => family.actions);
  const about = actions.find((action) => action.name === name || action.aliases.includes(name ?? ''));
  return (about?.steps ?? []).flatMap(({ key, at }) => [key, String(at)]);
};

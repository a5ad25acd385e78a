import type { Json } from '../../core/errors.ts';
import type { CommandRecord, RunRecord } from '../../services/engine/port/runs.ts';
import { knownArguments } from './known-arguments.ts';

/** What a run is about beside its list: `event` of a watcher, `schedule` of a job. */
type Named = { readonly [name: string]: Json };

/** A record as somebody may see it. */
export interface ShownRun extends Omit<RunRecord, 'kept' | 'commands'> {
  readonly named: Named;
  readonly commands: readonly (CommandRecord & { readonly arguments?: unknown })[];
}

/**
 * A record as it may be shown: a list that was stored to be run later holds all that it needs, secrets too. A command that waits for a
 * verdict comes with what it was given, for whoever has to find out what became of it.
 */
export const shownRun = (record: RunRecord | null, mask: (value: unknown) => unknown): ShownRun | null => {
  if (record === null) return null;
  const { kept, ...rest } = record;
  const body = mask(kept ?? record.body) as Json; // masking keeps the shape
  const named = mask(namedIn(record.options)) as Named;
  const about = {
    body,
    named: new Map(Object.entries(named)),
    startedMs: record.startedAt ?? record.submittedAt,
    commands: record.commands,
  };
  const commands = record.commands.map((command) => {
    if (command.state !== 'indeterminate') return command;
    const known = knownArguments(about, command.index);
    return known === undefined ? command : { ...command, arguments: mask(known) };
  });
  return { ...rest, body, named, commands };
};

const namedIn = (options: Json): Named => {
  if (typeof options !== 'object' || options === null || !('named' in options)) return {};
  const { named } = options;
  return typeof named === 'object' && named !== null && !Array.isArray(named) ? (named as Named) : {}; // an object of JSON
};

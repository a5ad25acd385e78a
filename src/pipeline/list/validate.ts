import type { Caller } from '../../access/caller.ts';
import type { KeptNames } from '../../core/context.ts';
import type { StepsPlace } from '../../core/effects.ts';
import { FileAutomationException, type Json, SubstitutionException, ValidationException } from '../../core/errors.ts';
import { LATER, NotYetKnown } from '../../core/planning.ts';
import { doInSlices, type Steps } from '../../lib/async/steps.ts';
import type { TimeSlice } from '../../lib/async/time-slice.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import { bindEach, bindPlain, type Read } from '../command/bind.ts';
import { MAX_HINTS, unknownAction } from '../command/command.ts';
import { hasReference, referencesOf } from '../command/references.ts';
import { readEnv } from '../command/scope.ts';
import { type Scope, substitute } from '../command/substitute.ts';
import type { Command, House, Job, Run } from '../run.ts';
import { demandDepth } from './depth.ts';
import { link } from './link.ts';
import { parse } from './parse.ts';
import { givenAt } from './tree.ts';

/** One thing wrong with a list: where it stands, and the error it would give. */
export interface Problem {
  readonly [key: string]: Json;
  readonly at: readonly (string | number)[];
  readonly type: string;
  readonly message: string;
}

/**
 * Checks every name and every argument that does not depend on an earlier result, at every depth.
 * All problems are told at once (`ValidationException`, `context.problems`); nothing runs. Others have their turn in between.
 */
export const validate = (job: Job, house: House, caller: Caller, { slice, ...names }: NamesInReach & { readonly slice: TimeSlice }) =>
  doInSlices(validateSteps(job, house, caller, names), slice);

function* validateSteps(job: Job, house: House, caller: Caller, { named, kept }: NamesInReach): Steps<void> {
  const problems: Problem[] = [];
  const names = new Map([...[...(named?.keys() ?? [])].map((name) => [name, undefined] as const), ...(kept ?? [])]);
  const reader = { house, caller, env: undefined, hintsLeft: MAX_HINTS };
  yield* check(job, [], { reader, problems, names, isKept: kept !== undefined, depth: 1 });
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
  const what = kept === undefined ? 'The list was not run' : 'The list could not run';
  throw new ValidationException(`${what}: ${first.message}${more}`, { context: { problems } });
}

/** What references may name beside the usual: what has a value now, or will have one when a list that is kept runs. */
interface NamesInReach {
  readonly named?: ReadonlyMap<string, unknown> | undefined;
  readonly kept?: KeptNames | undefined;
}

interface Checking {
  /** Who asks, the environment once it was read, and the suggestions left. */
  readonly reader: Pick<Run, 'house' | 'caller' | 'env' | 'hintsLeft'>;
  readonly problems: Problem[];
  /** Names that references may use at this depth, with their keys where those are known. */
  readonly names: ReadonlyMap<string, readonly string[] | undefined>;
  /** It runs another time, with the variables of that time. */
  readonly isKept: boolean;
  readonly depth: number;
}

type Place = readonly (string | number)[];

function* check(job: Job, at: Place, checking: Checking): Steps<void> {
  const { registry } = checking.reader.house;
  for (const command of job.commands) {
    yield;
    const here = [...at, command.index];
    const { given, index } = command;
    const ready = attempt(here, checking, () => {
      if (command.fault !== undefined) throw command.fault;
      return registry.resolve(command.name ?? '') ?? unknownAction(command.name ?? '', index, checking.reader);
    });
    if (ready === undefined) continue;
    const read = readerFor(job, command, checking);
    if (ready.plain === undefined) bindEach(ready, given, read, index, (each, argument) => attempt(here, checking, each, argument));
    else attempt(here, checking, () => bindPlain(given, read, index));
    for (const place of ready.about.steps) yield* checkNested(place, command, [...here, place.key], checking);
  }
}

function* checkNested(place: StepsPlace, { given, index }: Command, at: Place, checking: Checking): Steps<void> {
  const value = givenAt(given, place);
  const { registry } = checking.reader.house;
  if (place.form === 'name') {
    if (typeof value === 'string' && !hasReference(value))
      attempt(at, checking, () => registry.about(value) ?? unknownAction(value, index, checking.reader));
    return;
  }
  if (typeof value !== 'object' || value === null) return;
  const depth = checking.depth + 1;
  const job = attempt(at, checking, () => {
    demandDepth(depth);
    const parsed = parse(place.form === 'nodes' ? { nodes: value } : value);
    link(parsed, registry);
    return parsed;
  });
  if (job !== undefined)
    yield* check(job, at, {
      ...checking,
      depth,
      names: new Map([...checking.names, ...place.names.map((name) => [name, checking.names.get(name)] as const)]),
    });
}

/** Collects a typed error under its place; gives what the work gave. */
const attempt = <T>(at: Place, { problems }: Checking, work: () => T, argument?: string): T | undefined => {
  try {
    return work();
  } catch (fault) {
    if (!(fault instanceof FileAutomationException)) throw fault;
    problems.push({ at, ...(argument !== undefined && { argument }), type: fault.type, message: fault.message });
    return undefined;
  }
};

/** Reads references as the run will, but answers "later" for what an earlier command has yet to give. */
const readerFor = (job: Job, { index }: Command, { reader, names, isKept }: Checking): Read => {
  const { house } = reader;
  const later = () => {
    throw new NotYetKnown('an earlier result');
  };
  const mayRead = (name: string) => {
    reader.caller.policy?.demandEnv(name);
    return later();
  };
  const scope: Scope = {
    env: (name) => (isKept ? mayRead(name) : readEnv(reader, name)),
    date: new Date(house.clock.now()),
    cwd: house.cwd,
    uuid: house.newId,
    ...(job.mode === 'serial' && { result: (at: number) => (at < index ? later() : outOfReach(at, index)) }),
    ...(job.mode === 'graph' && { node: later }),
  };
  return (value) => {
    const wanted = referencesOf(value);
    // What cannot be read at all is told even where a reference before it has to wait.
    for (const { kind, written } of wanted) if (kind === 'unknown') substitute(written, scope);
    const named = wanted.filter((reference) => reference.kind === 'named');
    for (const { name, path, written } of named) {
      if (names.has(name)) demandKey(path[0], names.get(name), written);
      else substitute(written, scope); // says where it has a value
    }
    if (named.length > 0) return LATER;
    try {
      return substitute(value, scope);
    } catch (fault) {
      if (fault instanceof NotYetKnown) return LATER;
      throw fault;
    }
  };
};

const demandKey = (key: string | number | undefined, known: readonly string[] | undefined, written: string): void => {
  if (key === undefined || known === undefined || known.includes(String(key))) return;
  throw new SubstitutionException(
    `${written} cannot be replaced: there is no key ${JSON.stringify(key)}${didYouMean(String(key), known) || `; there are ${known.join(', ')}.`}`,
    { context: { reference: written } },
  );
};

const outOfReach = (at: number, index: number) => {
  throw new SubstitutionException(`\${results[${at}]…} in command ${index} does not name an earlier command.`, {
    context: { reference: at },
  });
};

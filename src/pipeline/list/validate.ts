import type { Caller } from '../../access/caller.ts';
import { FileAutomationException, type Json, ValidationException } from '../../core/errors.ts';
import { NotYetKnown } from '../../core/planning.ts';
import { bind, LATER, type Read } from '../command/bind.ts';
import { unknownAction } from '../command/command.ts';
import { referencesOf } from '../command/references.ts';
import { substitute, type Scope } from '../command/substitute.ts';
import type { Command, House, Job } from '../run.ts';
import { link } from './link.ts';
import { parse } from './parse.ts';

/** One thing wrong with a list: where it stands, and the error it would give. */
interface Problem {
  readonly [key: string]: Json;
  readonly at: readonly (string | number)[];
  readonly type: string;
  readonly message: string;
}

/**
 * Checks every name and every argument that does not depend on an earlier result, at every depth.
 * All problems are told at once (`ValidationException`, `context.problems`); nothing runs.
 */
export const validate = (job: Job, house: House, caller: Caller, named?: ReadonlyMap<string, unknown>): void => {
  const problems: Problem[] = [];
  check(job, [], { house, caller, problems, names: new Set(named?.keys()) });
  const [first] = problems;
  if (first === undefined) return;
  const more = problems.length === 1 ? '' : ` (and ${problems.length - 1} more)`;
  throw new ValidationException(`The list was not run: ${first.message}${more}`, { context: { problems } });
};

interface Checking {
  readonly house: House;
  readonly caller: Caller;
  readonly problems: Problem[];
  /** Names that references may use at this depth. */
  readonly names: ReadonlySet<string>;
}

type Place = readonly (string | number)[];

const check = (job: Job, at: Place, checking: Checking) => {
  for (const command of job.commands) {
    const here = [...at, command.index];
    const ready = attempt(here, checking, () => {
      if (command.fault !== undefined) throw command.fault;
      return checking.house.registry.resolve(command.name ?? '') ?? unknownAction(command.name ?? '', command.index, checking.house.registry);
    });
    if (ready === undefined) continue;
    if (ready.plain === undefined) attempt(here, checking, () => bind(ready, command.given, readerFor(job, command, checking), command.index));
    for (const { key, at: position, form, names } of ready.about.steps) {
      const value = Array.isArray(command.given) ? command.given[position] : fieldOf(command.given, key);
      if (form === 'name' || typeof value !== 'object' || value === null) continue;
      checkNested(form === 'nodes' ? { nodes: value } : value, [...here, key], names.length === 0 ? checking : { ...checking, names: new Set([...checking.names, ...names]) });
    }
  }
};

const fieldOf = (given: unknown, key: string): unknown =>
  typeof given === 'object' && given !== null && Object.hasOwn(given, key) ? (given as { readonly [key: string]: unknown })[key] : undefined;

const checkNested = (list: unknown, at: Place, checking: Checking) => {
  const job = attempt(at, checking, () => {
    const parsed = parse(list);
    link(parsed);
    return parsed;
  });
  if (job !== undefined) check(job, at, checking);
};

/** Collects a typed error under its place; gives what the work gave. */
const attempt = <T>(at: Place, { problems }: Checking, work: () => T): T | undefined => {
  try {
    return work();
  } catch (fault) {
    if (fault instanceof NotYetKnown) return undefined;
    if (!(fault instanceof FileAutomationException)) throw fault;
    problems.push({ at, type: fault.type, message: fault.message });
    return undefined;
  }
};

/** Reads references as the run will, but answers "later" for what an earlier command has yet to give. */
const readerFor = (job: Job, { index }: Command, { house, caller, names }: Checking): Read => {
  const later = () => {
    throw new NotYetKnown('an earlier result');
  };
  const scope: Scope = {
    env: (name) => {
      caller.policy?.demandEnv(name);
      return house.readEnv()[name];
    },
    date: new Date(house.clock.now()),
    cwd: house.cwd,
    uuid: house.newId,
    ...(job.mode === 'serial' && { result: (at: number) => (at < index ? later() : outOfReach(at, index)) }),
    ...(job.mode === 'graph' && { node: later }),
  };
  return (value) => {
    const wanted = referencesOf(value);
    if (wanted.some((reference) => reference.kind === 'named' && names.has(reference.name))) return LATER;
    try {
      return wanted.length === 0 && !hasEscape(value) ? value : substitute(value, scope);
    } catch (fault) {
      if (fault instanceof NotYetKnown) return LATER;
      throw fault;
    }
  };
};

const hasEscape = (value: unknown): boolean => typeof value === 'object' || (typeof value === 'string' && value.includes('$${'));

const outOfReach = (at: number, index: number) => {
  throw new ValidationException(`\${results[${at}]…} in command ${index} does not name an earlier command.`, { context: { reference: at } });
};

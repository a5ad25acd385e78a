import { DagException, JsonActionException } from '../../core/errors.ts';
import type { ListDefaults } from '../../core/list-defaults.ts';
import { kindOf } from '../../core/shapes.ts';
import type { TimeSlice } from '../../lib/async/time-slice.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import type { Command, Job } from '../run.ts';
import { readCommand } from './read-command.ts';
import { readNode } from './read-node.ts';

const LIST_DEFAULTS: ListDefaults = { maxCommands: 100_000, maxWorkers: 4, validateFirst: false };

const LIST_KEYS = [
  'actions',
  'auto_control',
  'mode',
  'validate_first',
  'dry_run',
  'max_workers',
  'expect_plan',
  'name',
  'quota',
  'stop_on_error',
];
const GRAPH_KEYS = ['nodes', 'max_workers', 'fail_fast', 'dry_run', 'validate_first', 'expect_plan', 'name', 'quota'];

type Body = { readonly [key: string]: unknown };

/** Reads a request into a job: a bare list, a wrapped one, or a graph. Refuses wrong shapes as a whole, malformed commands one by one. */
export const parse = (request: unknown, defaults: ListDefaults = LIST_DEFAULTS): Job => {
  if (Array.isArray(request)) return plainly(defaults, readCommands(request, defaults));
  if (!isBody(request)) throw shape(`A list of commands was expected, not ${kindOf(request)}; send [["FA_…", {…}], …].`);
  return Object.hasOwn(request, 'nodes') ? readGraph(request, defaults) : readWrapped(request, defaults);
};

/** Reads a long request without holding the thread: the same job, or the same refusal. */
export const parseInSlices = async (request: unknown, defaults: ListDefaults | undefined, slice: TimeSlice): Promise<Job> => {
  const [key, items] = listIn(request);
  if (items === undefined || items.length < LONG_LIST || items.length > (defaults ?? LIST_DEFAULTS).maxCommands)
    return parse(request, defaults);
  const job = parse(key === undefined ? [] : { ...(request as Body), [key]: [] }, defaults); // an object: it has the key
  const commands: Command[] = [];
  const read = job.mode === 'graph' ? readNode : readCommand;
  for (let index = 0; index < items.length; index += 1) {
    commands.push(read(items[index], index));
    if (slice.isOver()) await slice.next();
  }
  return { ...job, commands };
};

/** Shorter lists are read faster than others get their turn. */
const LONG_LIST = 1_000;

/** Whether reading a request and what is done with it before it runs may take long. */
export const isLongRequest = (request: unknown): boolean =>
  (Array.isArray(request) ? request.length : (listIn(request)[1]?.length ?? 0)) >= LONG_LIST;

/** The list of a request in any of its forms, and the key that it stands under. */
const listIn = (request: unknown): readonly [string | undefined, (readonly unknown[])?] => {
  if (Array.isArray(request)) return [undefined, request];
  if (!isBody(request)) return [undefined];
  const key = ['nodes', 'actions', 'auto_control'].find((each) => Object.hasOwn(request, each));
  const items = key === undefined ? undefined : request[key];
  return Array.isArray(items) ? [key, items] : [key];
};

const plainly = ({ maxWorkers, validateFirst, maxBytes = 0, maxSeconds = 0 }: ListDefaults, commands: readonly Command[]): Job => ({
  mode: 'serial',
  commands,
  validateFirst,
  dryRun: false,
  maxWorkers,
  failFast: true,
  stopOnError: false,
  maxBytes,
  maxSeconds,
});

const isBody = (value: unknown): value is Body => typeof value === 'object' && value !== null && !Array.isArray(value);

const readWrapped = (body: Body, defaults: ListDefaults): Job => {
  demandKeys(body, LIST_KEYS);
  const key = Object.hasOwn(body, 'actions') ? 'actions' : 'auto_control';
  if (key === 'actions' && Object.hasOwn(body, 'auto_control'))
    throw shape('Both "actions" and "auto_control" are given; keep one of them.');
  const commands = body[key];
  if (!Object.hasOwn(body, key)) throw shape('The object holds no list; put it under "actions" (or "nodes" for a graph).');
  if (!Array.isArray(commands)) throw shape(`"${key}" must be a list of commands, not ${kindOf(commands)}.`);
  const mode = optional<'serial' | 'parallel'>(
    body,
    'mode',
    (value) => value === 'serial' || value === 'parallel',
    '"serial" or "parallel"',
    'serial',
  );
  const stopOnError = readFlag(body, 'stop_on_error', false);
  if (stopOnError && mode === 'parallel') throw shape('"stop_on_error" works in serial lists only; leave it out or use "mode": "serial".');
  return { ...plainly(defaults, readCommands(commands, defaults)), ...readCommon(body, defaults), mode, stopOnError };
};

const readGraph = (body: Body, defaults: ListDefaults): Job => {
  demandKeys(body, GRAPH_KEYS);
  const { nodes } = body;
  if (!Array.isArray(nodes)) throw new DagException(`"nodes" must be a list of nodes, not ${kindOf(nodes)}.`);
  demandCount(nodes, defaults);
  return {
    ...plainly(defaults, readEach(nodes, readNode)),
    ...readCommon(body, defaults),
    mode: 'graph',
    failFast: readFlag(body, 'fail_fast', true),
  };
};

const readCommon = (body: Body, defaults: ListDefaults): Partial<Job> => ({
  validateFirst: readFlag(body, 'validate_first', defaults.validateFirst),
  dryRun: readFlag(body, 'dry_run', false),
  maxWorkers: optional(body, 'max_workers', isPositiveInteger, 'a whole number of at least 1', defaults.maxWorkers),
  ...readText(body, 'expect_plan', 'expectPlan'),
  ...readText(body, 'name', 'label'),
  ...readQuota(body, defaults),
});

const readText = (body: Body, key: string, as: 'expectPlan' | 'label'): Partial<Job> => {
  const value = optional<string | undefined>(body, key, (each) => typeof each === 'string', 'a text', undefined);
  return value === undefined ? {} : { [as]: value };
};

const readQuota = (body: Body, { maxBytes = 0, maxSeconds = 0 }: ListDefaults): Partial<Job> => {
  if (!Object.hasOwn(body, 'quota')) return {};
  const { quota } = body;
  if (!isBody(quota)) throw shape(`"quota" must be an object with max_bytes and max_seconds, not ${kindOf(quota)}.`);
  demandKeys(quota, ['max_bytes', 'max_seconds']);
  return {
    maxBytes: optional(quota, 'max_bytes', Number.isSafeInteger, 'a whole number', maxBytes),
    maxSeconds: optional(quota, 'max_seconds', Number.isFinite, 'a number', maxSeconds),
  };
};

const readFlag = (body: Body, key: string, fallback: boolean): boolean =>
  optional(body, key, (value) => typeof value === 'boolean', 'true or false', fallback);

const isPositiveInteger = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) >= 1;

const optional = <T>(body: Body, key: string, fits: (value: unknown) => boolean, expected: string, fallback: T): T => {
  if (!Object.hasOwn(body, key)) return fallback;
  const value = body[key];
  if (!fits(value)) throw shape(`"${key}" must be ${expected}, not ${kindOf(value)}.`, { key });
  // `fits` has checked what T stands for at the place of the call.
  return value as T;
};

const demandKeys = (body: Body, known: readonly string[]) => {
  const unknown = Object.keys(body).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    const hint = didYouMean(unknown, known) || `; known are ${known.join(', ')}.`;
    throw shape(`The key ${JSON.stringify(unknown.slice(0, 100))} is unknown here${hint}`, { key: unknown.slice(0, 100) });
  }
};

const demandCount = (items: readonly unknown[], { maxCommands }: ListDefaults) => {
  if (items.length > maxCommands) {
    throw shape(`The list holds ${items.length} commands; at most ${maxCommands} fit in one list, so split it.`, { limit: maxCommands });
  }
};

const readCommands = (items: readonly unknown[], defaults: ListDefaults): Command[] => {
  demandCount(items, defaults);
  return readEach(items, readCommand);
};

/** Reads holes too, which `map` would pass over. */
const readEach = (items: readonly unknown[], read: (item: unknown, index: number) => Command): Command[] => {
  const commands: Command[] = [];
  for (let index = 0; index < items.length; index += 1) commands.push(read(items[index], index));
  return commands;
};

const shape = (message: string, context: { readonly [key: string]: string | number } = {}) => new JsonActionException(message, { context });

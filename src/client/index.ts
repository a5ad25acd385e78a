// The door `factotum/client`. Names are listed one by one.
import * as errors from '../core/errors.ts';

export type { ActionMap } from '../app/actions.generated.ts';
export type { ActionArguments, ActionEntry, ActionValue } from '../app/typed/call.ts';
export type { ActionName, ActionTable, Command, CommandOf, NameIn, NestedList, Reference } from '../app/typed/commands.ts';
export type {
  ActionNames,
  Graph,
  GraphNode,
  ListOf,
  ListOptions,
  ListRequest,
  NamesIn,
  NodesOf,
  OutcomeOf,
  ResultOf,
  WrappedList,
} from '../app/typed/lists.ts';
export type { Description } from '../core/description.ts';
export type { Snapshot } from '../core/progress.ts';
export type { Effect, ErrorRecord, Note, Outcome, Plan, RunResult, Status } from '../core/result.ts';
export { type Unchecked, unchecked } from '../core/unchecked.ts';
export { type ClientOptions, HTTPActionClient, type Readiness } from './client.ts';
export { ActionFailure, type ClientTrouble, type ErrorType, HTTPActionClientException } from './exceptions.ts';
export type { Socket, SocketConstructor, SocketEvent } from './follow.ts';
export type { RunEvent } from './follow-run.ts';
export { literal } from './literal.ts';
export type { CommandEntry, RunRecord, RunState, RunSummary, RunsPage, RunsQuery } from './runs.ts';
export type { CallOptions } from './wire.ts';
/** The class of every error. */
export { errors };

// The door `factotum/client`. Names are listed one by one.
export type { ActionMap } from '../app/actions.generated.ts';
export type { Description } from '../core/description.ts';
export type { Snapshot } from '../core/progress.ts';
export type { Effect, ErrorRecord, Note, Outcome, Plan, RunResult, Status } from '../core/result.ts';
export { type ClientOptions, HTTPActionClient, type Readiness } from './client.ts';
export { ActionFailure, type ClientTrouble, type ErrorType, HTTPActionClientException } from './exceptions.ts';
export type { Socket, SocketConstructor, SocketEvent } from './follow.ts';
export type { RunEvent } from './follow-run.ts';
export { literal } from './literal.ts';
export type { ActionTable, Command, Graph, GraphNode, ListOptions, OutcomeOf, Reference, ResultOf, WrappedList } from './requests.ts';
export type { CommandEntry, RunRecord, RunState, RunSummary, RunsPage, RunsQuery } from './runs.ts';
export type { CallOptions } from './wire.ts';

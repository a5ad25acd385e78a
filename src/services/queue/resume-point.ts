import { type Json, QueueException } from '../../core/errors.ts';
import type { RunId } from '../engine/port/runs.ts';

/** Where a run is taken up again: at a position of its list, or at a node of its graph with all that depend on it. */
export type ResumePoint = number | string;

/** Tells which commands are run again whatever became of them. */
export const commandsFrom = (body: Json, from: ResumePoint | undefined, runId: RunId): ((index: number) => boolean) => {
  if (from === undefined) return () => false;
  if (typeof from === 'number') {
    const { length } = commandsIn(body);
    if (from >= length) throw noSuchCommand(runId, from, length);
    return (index) => index >= from;
  }
  const nodes = isRecord(body) && Array.isArray(body.nodes) ? body.nodes.filter(isRecord) : [];
  const again = new Set([from]);
  if (!nodes.some(({ id }) => id === from)) throw noSuchNode(runId, from);
  // A node may stand before those it depends on, so this goes on until nothing is added.
  for (let before = 0; before < again.size; ) {
    before = again.size;
    for (const { id, depends_on: after } of nodes)
      if (Array.isArray(after) && after.some((each) => again.has(String(each)))) again.add(String(id));
  }
  return (index) => again.has(String(nodes[index]?.id));
};

/** The commands of a list, or the nodes of a graph. */
export const commandsIn = (body: Json): readonly Json[] => {
  if (Array.isArray(body)) return body;
  const inner = isRecord(body) ? (body.actions ?? body.nodes ?? body.auto_control) : undefined;
  return Array.isArray(inner) ? inner : [];
};

/** Whether a value has keys. */
export const isRecord = (value: Json): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const noSuchCommand = (runId: RunId, from: number, length: number) =>
  new QueueException(`The run ${runId} has no command ${from}; it has ${length}, counted from 0.`, { context: { run_id: runId, from } });

const noSuchNode = (runId: RunId, from: string) =>
  new QueueException(`The run ${runId} has no node ${JSON.stringify(from)}; name one of its nodes, or a position.`, {
    context: { run_id: runId, from },
  });

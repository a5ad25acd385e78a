import type { FinishedRun, RunId } from '../port/runs.ts';

const TEXTS = ['runId', 'source', 'caller', 'state'] as const;
const NUMBERS = ['startedAt', 'durationMs'] as const;

/** The run that a spooled file of this name holds; undefined where it holds something else. */
export const readSpooled = (text: string, runId: RunId): FinishedRun | undefined => {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return isRun(value) && value.runId === runId ? value : undefined;
};

/** Enough to be recorded and shown; the file is in a directory that only its owner can write. */
const isRun = (value: unknown): value is FinishedRun =>
  isRecord(value) &&
  TEXTS.every((key) => typeof value[key] === 'string') &&
  NUMBERS.every((key) => typeof value[key] === 'number') &&
  isRecord(value.counts) &&
  Array.isArray(value.commands) &&
  value.commands.every((command) => isRecord(command) && typeof command.index === 'number' && typeof command.state === 'string');

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

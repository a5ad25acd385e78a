import type { CallToolResult } from '@modelcontextprotocol/server';
import { isComplete, MORE_MAY_HAPPEN } from '../../../core/outcomes.ts';
import type { ErrorRecord, Note, Outcome, RunResult } from '../../../core/result.ts';

/** The structured part of an answer. */
export type Structured = Readonly<Record<string, unknown>>;

const text = (content: string) => ({ type: 'text' as const, text: content });

/** A value that its schema calls an object, as it is. Notes stand beside it for people and models to read. */
export const answerObject = (value: Structured, notes: readonly Note[] = []): CallToolResult => ({
  content: [text(JSON.stringify(value)), ...notes.map(noteText)],
  structuredContent: value,
});

/** Any other value, under `value` in the structured part. A text stands as it is where people and models read it. */
export const answerValue = (value: unknown, notes: readonly Note[]): CallToolResult => ({
  content: [text(typeof value === 'string' ? value : JSON.stringify(value)), ...notes.map(noteText)],
  structuredContent: { value, ...(notes.length > 0 && { notes }) },
});

const noteText = (note: Note) => text(`Note: ${JSON.stringify(note)}`);

/** The result of a list. One that did not end well is an error whose entries say why. */
export const answerRun = (result: RunResult): CallToolResult => {
  const answer = answerObject({ ...result });
  const isOpen = result.plan_hash !== undefined && !isComplete(result);
  return {
    ...answer,
    ...(isOpen && { content: [...answer.content, text(`This plan is not complete: ${MORE_MAY_HAPPEN} when it runs.`)] }),
    ...(!result.ok && { isError: true }),
  };
};

/** A typed error, with what a failed command told beside it. There is no structured part: it would have to look like a value. */
export const answerError = (error: ErrorRecord, { notes, steps }: Pick<Outcome, 'notes' | 'steps'> = {}): CallToolResult => ({
  content: [text(JSON.stringify({ error, notes, steps }))],
  isError: true,
});

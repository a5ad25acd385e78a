import type { CallToolResult } from '@modelcontextprotocol/server';
import { QuotaExceededException } from '../../../core/errors.ts';
import { isComplete, MORE_MAY_HAPPEN } from '../../../core/outcomes.ts';
import type { ErrorRecord, Note, Outcome, RunResult } from '../../../core/result.ts';
import { ValueSizes } from '../../../core/value-size.ts';
import { jsonInSlices } from '../wire/json-in-slices.ts';

/** The structured part of an answer. */
export type Structured = Readonly<Record<string, unknown>>;

const text = (content: string) => ({ type: 'text' as const, text: content });

/** Longer ones help no model, and stand in the message twice, once as a text inside of a text. */
const MAX_ANSWER_CHARS = 8 * 1024 * 1024;

/** A value that its schema calls an object, as it is. Notes stand beside it for people and models to read. */
export const answerObject = async (value: Structured, notes: readonly Note[] = []): Promise<CallToolResult> => ({
  content: [text(await answerText(value)), ...notes.map(noteText)],
  structuredContent: value,
});

/** Any other value, under `value` in the structured part. A text stands as it is where people and models read it. */
export const answerValue = async (value: unknown, notes: readonly Note[]): Promise<CallToolResult> => ({
  content: [text(await answerText(value)), ...notes.map(noteText)],
  structuredContent: { value, ...(notes.length > 0 && { notes }) },
});

const noteText = (note: Note) => text(`Note: ${JSON.stringify(note)}`);

/** The result of a list. One that did not end well is an error whose entries say why. */
export const answerRun = async (result: RunResult): Promise<CallToolResult> => {
  const answer = await answerObject({ ...result });
  const isOpen = result.plan_hash !== undefined && !isComplete(result);
  return {
    ...answer,
    ...(isOpen && { content: [...answer.content, text(`This plan is not complete: ${MORE_MAY_HAPPEN} when it runs.`)] }),
    ...(!result.ok && { isError: true }),
  };
};

const answerText = async (value: unknown): Promise<string> => {
  if (new ValueSizes().of(value, MAX_ANSWER_CHARS) > MAX_ANSWER_CHARS) {
    throw new QuotaExceededException(
      `It was done, but the answer is longer than ${MAX_ANSWER_CHARS} characters; ask for less at once, or take it over HTTP.`,
      { context: { limit: 'answer', max_chars: MAX_ANSWER_CHARS, ...runOf(value) } },
    );
  }
  return typeof value === 'string' ? value : jsonInSlices(value);
};

/** Which run it was, where the answer tells. */
const runOf = (value: unknown): { readonly run_id?: string } =>
  typeof value === 'object' && value !== null && 'run_id' in value && typeof value.run_id === 'string' ? { run_id: value.run_id } : {};

/** A typed error, with what a failed command told beside it. There is no structured part: it would have to look like a value. */
export const answerError = (error: ErrorRecord, { notes, steps }: Pick<Outcome, 'notes' | 'steps'> = {}): CallToolResult => ({
  content: [text(JSON.stringify({ error, notes, steps }))],
  isError: true,
});

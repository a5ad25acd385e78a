import { QuotaExceededException } from '../../core/errors.ts';

/** What a template may use up, whoever wrote it. */
export const MAX_SOURCE_CHARS = 1024 * 1024;
const MAX_OUTPUT_CHARS = 16 * 1024 * 1024;
export const MAX_NESTING = 100;
export const MAX_ROUNDS = 100_000;
export const MAX_RENDER_MS = 1_000;
/** Characters and list items that filters may make on the way. */
export const MAX_WORK = 32 * 1024 * 1024;

/** The error of a template that would use up more. */
export const overLimit = (limit: string, most: number): QuotaExceededException =>
  new QuotaExceededException(`The template goes over the limit of ${most} ${limit}; render less at once.`, { context: { limit, most } });

/** Collects output up to the limit. */
export const createOutput = (): { write(text: string): void; text(): string } => {
  let output = '';
  return {
    write(text) {
      if (output.length + text.length > MAX_OUTPUT_CHARS) throw overLimit('characters of output', MAX_OUTPUT_CHARS);
      output += text;
    },
    text: () => output,
  };
};

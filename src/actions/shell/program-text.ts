import type { Shape } from '../../core/shapes.ts';

/** A text that the system can hand to a program. */
export const programText: Shape<string, string> = {
  schema: { type: 'string' },
  expected: 'a text without NUL characters',
  accepts: (value) => typeof value === 'string' && !value.includes('\0'),
};

/** Where the line of `at` begins. */
export const startOfLine = (text: string, at: number): number => (at === 0 ? 0 : text.lastIndexOf('\n', at - 1) + 1);

/** The white space that the line of `at` begins with, as far as `at`. */
export const indentAt = (text: string, at: number): string => /^[ \t]*/.exec(text.slice(startOfLine(text, at), at))?.[0] ?? '';

/** Whether only white space stands before `at` on its line. */
export const isFirstOnLine = (text: string, at: number): boolean => text.slice(startOfLine(text, at), at).trim() === '';

/** The offset behind the line break at `at`, or `at` itself where none stands. */
export const skipLineBreak = (text: string, at: number): number => {
  if (text.startsWith('\r\n', at)) return at + 2;
  return text[at] === '\n' || text[at] === '\r' ? at + 1 : at;
};

/** The line break that a text uses. */
export const lineBreakOf = (text: string): string => (text.includes('\r\n') ? '\r\n' : '\n');

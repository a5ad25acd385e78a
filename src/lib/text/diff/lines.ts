/** The lines of a text, each with its line end; only the last may lack one. */
export const linesOf = (text: string): string[] => {
  const lines: string[] = [];
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start);
    const end = newline < 0 ? text.length : newline + 1;
    lines.push(text.slice(start, end));
    start = end;
  }
  return lines;
};

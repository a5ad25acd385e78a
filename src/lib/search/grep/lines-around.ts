const LF = 0x0a;
const CR = 0x0d;

/** Where the lines before an offset begin, which itself begins a line; fewer where there are not so many. */
export const startOfLinesBefore = (bytes: Buffer, offset: number, count: number): number => {
  let start = offset;
  for (let found = 0; found < count && start > 0; found += 1) start = start < 2 ? 0 : bytes.lastIndexOf(LF, start - 2) + 1;
  return start;
};

/** Where the lines behind an offset end, line end included; undefined where fewer whole lines are there. */
export const endOfLinesBehind = (bytes: Buffer, offset: number, count: number): number | undefined => {
  let end = offset;
  for (let found = 0; found < count; found += 1) {
    const next = bytes.indexOf(LF, end);
    if (next < 0) return undefined;
    end = next + 1;
  }
  return end;
};

/** The lines of a stretch, without their ends. */
export const linesIn = (bytes: Buffer): string[] => {
  const lines: string[] = [];
  for (let start = 0; start < bytes.byteLength; ) {
    const next = bytes.indexOf(LF, start);
    const end = next < 0 ? bytes.byteLength : next;
    lines.push(bytes.toString('utf8', start, end > start && bytes[end - 1] === CR ? end - 1 : end));
    start = end + 1;
  }
  return lines;
};

import type { Output } from './output.ts';

const ELEMENTS_PER_PIECE = 500;
const BUFFER_BYTES = 256 * 1024;
const MAX_BYTES_PER_CHAR = 3;
const COMMA = 0x2c;

/** Writes a value as JSON on one line. A long list goes out piece by piece: as one text it would take twice the time and much memory. */
export const writeJson = ({ write, line }: Pick<Output, 'write' | 'line'>, value: unknown): void => {
  if (!Array.isArray(value) || value.length <= ELEMENTS_PER_PIECE) {
    line(JSON.stringify(value));
    return;
  }
  const buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES);
  let filled = 0;
  const flush = () => {
    write(buffer.subarray(0, filled));
    filled = 0;
  };
  for (let at = 0; at < value.length; at += ELEMENTS_PER_PIECE) {
    const piece = JSON.stringify(value.slice(at, at + ELEMENTS_PER_PIECE));
    const mostBytes = piece.length * MAX_BYTES_PER_CHAR;
    if (filled + mostBytes > BUFFER_BYTES) flush();
    const target = mostBytes > BUFFER_BYTES ? Buffer.allocUnsafe(mostBytes) : buffer.subarray(filled);
    const end = target.write(piece) - 1; // without its closing bracket
    if (at > 0) target[0] = COMMA; // instead of its opening one
    if (mostBytes > BUFFER_BYTES) write(target.subarray(0, end));
    else filled += end;
  }
  flush();
  line(']');
};

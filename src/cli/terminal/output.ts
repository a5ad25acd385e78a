import { fstatSync, type Stats, statSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import { isatty } from 'node:tty';
import { FileAccessException } from '../../core/errors.ts';
import { type Colors, chooseColors } from './colors.ts';

/** Standard output or standard error. */
export interface Output {
  /** Writes at once. A reader that went away (`| head`) is no fault: what follows is dropped. Throws where the answer finds no room. */
  write(text: string | Uint8Array): void;
  line(text?: string): void;
  readonly isTerminal: boolean;
  readonly colors: Colors;
  /** `always`, `never`; everything else leaves it to the terminal. */
  setColor(choice: string): void;
}

/** Opens a standard stream by its number. Written to directly, because Node's own streams take milliseconds to load. */
export const openOutput = (fd: 1 | 2, env: Readonly<Record<string, string | undefined>>): Output => {
  let isTerminal: boolean | undefined;
  let colors: Colors | undefined;
  let readerGone = false;

  const lookAtTerminal = () => {
    isTerminal ??= isTerminalAt(fd);
    return isTerminal;
  };

  const write = (text: string | Uint8Array) => {
    let rest = typeof text === 'string' ? Buffer.from(text) : text;
    while (rest.length > 0 && !readerGone) {
      try {
        rest = rest.subarray(writeSync(fd, rest));
      } catch (fault) {
        const { code } = fault as NodeJS.ErrnoException; // writeSync throws nothing else
        if (code === 'EAGAIN') pause();
        else if (code === 'EPIPE' || fd === 2) readerGone = true;
        else throw lost(code);
      }
    }
  };

  return {
    write,
    line: (text = '') => write(`${text}\n`),
    get isTerminal() {
      return lookAtTerminal();
    },
    get colors() {
      colors ??= chooseColors(wantsColor(env, lookAtTerminal));
      return colors;
    },
    setColor(choice) {
      colors = chooseColors(choice === 'always' || (choice !== 'never' && wantsColor(env, lookAtTerminal)));
    },
  };
};

/** What was asked for may be done all the same, so nobody is told to just run it again. */
const lost = (code = 'an unknown fault'): FileAccessException =>
  new FileAccessException(
    `The answer could not be written to standard output: the system says ${code}. What was asked for may be done; look before you run it again.`,
    { context: { path: 'standard output', code } },
  );

/** Most output goes to a file, a pipe or nowhere: then the terminal module need not be loaded. */
const isTerminalAt = (fd: number): boolean => {
  try {
    const stats = fstatSync(fd);
    return stats.isCharacterDevice() && !isNowhere(stats) && isatty(fd);
  } catch {
    return false; // closed
  }
};

const isNowhere = ({ rdev }: Stats): boolean => {
  try {
    return statSync(devNull).rdev === rdev;
  } catch {
    return false; // not a file on this system
  }
};

const wantsColor = ({ NO_COLOR, FORCE_COLOR, TERM }: Readonly<Record<string, string | undefined>>, isTerminal: () => boolean): boolean => {
  if (NO_COLOR !== undefined && NO_COLOR !== '') return false;
  if (FORCE_COLOR !== undefined && FORCE_COLOR !== '0') return true;
  return TERM !== 'dumb' && isTerminal();
};

/** Waits a little for a slow reader of a pipe that somebody made non-blocking. */
const pause = () => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);

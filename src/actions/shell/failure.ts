import { ShellException } from '../../core/errors.ts';
import type { ProgramResult } from '../../core/ports.ts';

/** How much of what a program said fits a message; the end tells most. */
const MAX_QUOTED_CHARACTERS = 500;

/** A program that did not end well, with the end of what it said. */
export const failure = (program: string, { returncode, signal, stderr }: ProgramResult): ShellException => {
  const what = signal === null ? `failed with exit code ${returncode}` : `was ended by ${signal}`;
  const said = stderr.trim();
  return new ShellException(`${program} ${what} (set check to false to accept that)${said === '' ? '.' : ` and said: ${endOf(said)}`}`, {
    context: { program, returncode, ...(signal !== null && { signal }) },
  });
};

/** A program that took longer than it was given. */
export const outOfTime = (program: string, seconds: number): ShellException =>
  new ShellException(
    `${program} was not done after ${seconds} s and was ended with all that it had started; raise timeout if it needs longer.`,
    {
      context: { program, timeout_s: seconds },
      retryable: true,
    },
  );

const endOf = (text: string): string =>
  text.length <= MAX_QUOTED_CHARACTERS ? text : `…${text.slice(-MAX_QUOTED_CHARACTERS).replace(/^[\uDC00-\uDFFF]/, '')}`; // no half character in front

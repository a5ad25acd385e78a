import type { FilePort } from '../../core/files.ts';

/** What of the port is asked on another thread: short questions, which a command of the house itself asks before it goes on. */
const QUESTIONS = ['stat', 'readLink', 'list', 'targetFor', 'read'] as const satisfies readonly (keyof FilePort)[];

export type FileQuestion = (typeof QUESTIONS)[number];

/** A question with its arguments, as plain data. */
export interface AskedFiles {
  readonly question: FileQuestion;
  readonly given: readonly unknown[];
}

/** The same port for commands that stay where requests are answered: what it is asked is looked up on another thread. */
export const farFiles = (near: FilePort, ask: (asked: AskedFiles) => Promise<unknown>): FilePort => ({
  ...near,
  // What comes back is what the port on the other thread gave; messages carry no types.
  stat: (...given) => ask({ question: 'stat', given }) as ReturnType<FilePort['stat']>,
  readLink: (...given) => ask({ question: 'readLink', given }) as ReturnType<FilePort['readLink']>,
  list: (...given) => ask({ question: 'list', given }) as ReturnType<FilePort['list']>,
  targetFor: (...given) => ask({ question: 'targetFor', given }) as ReturnType<FilePort['targetFor']>,
  async read(...given) {
    const bytes = (await ask({ question: 'read', given })) as Uint8Array; // a buffer comes as a plain array
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  },
});

/** Answers such a question on the thread that has the port. */
export const answerFrom = (files: FilePort, { question, given }: AskedFiles): Promise<unknown> => {
  const answer = files[question] as (...given: readonly unknown[]) => Promise<unknown>; // asked with what the port was called with
  return answer(...given);
};

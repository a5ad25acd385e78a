import { gather, type Link } from './link.ts';
import { openSession, type SessionOptions } from './session.ts';

/** Opens the store in this thread, for one-shots and tests. */
export const linkLocally = async (options: SessionOptions): Promise<Link> => {
  const session = openSession(options);
  return {
    send: gather((batch) => {
      const answers = session.answer(batch.map(({ call }) => call));
      for (const [at, { resolve, reject }] of batch.entries()) {
        const answer = answers[at];
        if (answer !== undefined && 'value' in answer) resolve(answer.value);
        else reject(answer?.fault);
      }
    }),
    isOpen: true,
    close: async () => session.close(),
  };
};

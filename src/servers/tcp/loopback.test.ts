import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bytesOf, type LoopbackCase, loopbackCases, speak } from '../../../test/support/loopback-corpus.ts';
import { connectTo, openTcpHouse, type TcpHouse } from '../../../test/support/tcp-door.ts';

const TOKEN = 'tok-7c1f0b52d9e84a63';
const cases = loopbackCases().filter(({ tcp }) => tcp !== undefined);
const isPlain = ({ tcp }: LoopbackCase) => tcp?.then === undefined && tcp?.connections === undefined;

/** Wrong secrets of one address are counted, and all cases come from one. */
const limits = { wrongSecretsPerMinute: 1_000 };

const linesIn = (text: string): { readonly error?: { readonly type: string; readonly message: string } }[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

describe('a connection to the loopback door', () => {
  const doors = new Map<boolean, TcpHouse>();
  beforeAll(async () => {
    doors.set(true, await openTcpHouse({ secret: TOKEN, limits }));
    doors.set(false, await openTcpHouse({ limits }));
  });
  afterAll(async () => {
    for (const each of doors.values()) await each[Symbol.asyncDispose]();
  });

  test.each(cases.filter(isPlain).map((each) => [each.id, each.why, each] as const))(
    '%s: %s',
    async (_id, _why, { tcp, expect: wanted }) => {
      const { house, door } = doors.get(tcp?.secret ?? false) ?? expect.fail();
      const before = house.touched;
      const bytes = bytesOf(tcp?.send ?? [], { port: door.port, token: TOKEN });
      const heard = await speak(door.port, bytes, { halfClose: true });
      const lines = linesIn(heard.text);
      expect(house.touched - before).toBe(wanted.ran);
      expect(heard.closed).toBe(true);
      expect(lines.filter(({ error }) => error === undefined)).toHaveLength(wanted.answers ?? wanted.ran);
      for (const { error } of lines) if (error !== undefined) expect(error.message).toMatch(/\.$/);
      // The door lives on.
      using next = connectTo(door.port);
      next.socket.end(tcp?.secret ? `AUTH ${TOKEN}\n[]` : '[]');
      expect(await next.rest()).toMatchObject([{ status: 'ok' }]);
    },
  );

  const closing = cases.filter((each) => isPlain(each) && each.expect.closed === true);
  const needsMore = new Set(['tcp-noline', 'tcp-nobody']); // a client that says nothing more is waited for
  test.each(closing.filter(({ id }) => !needsMore.has(id)).map((each) => [each.id, each] as const))(
    '%s is closed by the door, though the client keeps its side open',
    async (_id, { tcp }) => {
      const { door } = doors.get(tcp?.secret ?? false) ?? expect.fail();
      const { closed, text } = await speak(door.port, bytesOf(tcp?.send ?? [], { port: door.port, token: TOKEN }));
      expect(closed).toBe(true);
      expect(linesIn(text).at(-1)?.error?.type).toMatch(/^(?:TCPAuth|JsonAction)Exception$/);
    },
  );

  test('all recorded cases are here', () => expect(cases).toHaveLength(30));
});

import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import corpus from '../../../test/fixtures/corpus/action-lists-bad.json' with { type: 'json' };
import { bytesOf, type CorpusBody } from '../../../test/support/corpus-body.ts';
import { connectTo, openTcpHouse, type TcpHouse } from '../../../test/support/tcp-door.ts';
import type { AclRules } from '../../access/acl.ts';

interface Case {
  readonly id: string;
  readonly why: string;
  readonly acl?: AclRules;
  readonly body: CorpusBody;
  readonly expect: { readonly status: number | readonly number[]; readonly ran: number; readonly results?: readonly { status: string }[] };
}

const cases = corpus.cases as readonly Case[]; // the file's own type has every shape of a body spelt out

/** Whole lists with something behind them are lists here, because a connection carries many; the first of them runs. */
const FIRST_RUNS: Readonly<Record<string, number>> = { 'sx-trail': 1, 'sx-two': 2, 'sx-nl-two': 2, 'sx-nul': 1, 'sx-comment': 1 };
/** A connection without a list is no mistake. */
const NOTHING_SENT = new Set(['sx-empty', 'sx-ws']);

const files = { 'list-with-deny.json': '[["FA_t_touch"],["FA_t_deny"]]' };
const doors = new Map<string, TcpHouse>();
const doorFor = async (acl: AclRules | undefined): Promise<TcpHouse> => {
  const key = JSON.stringify(acl ?? null);
  const known = doors.get(key) ?? (await openTcpHouse({ files, logLevel: 'error', ...(acl && { acl }) }));
  doors.set(key, known);
  return known;
};
beforeAll(() => doorFor(undefined));
afterAll(async () => {
  for (const each of doors.values()) await each[Symbol.asyncDispose]();
});

interface Line {
  readonly error?: { readonly type: string; readonly message: string };
  readonly results?: readonly { readonly status: string }[];
}

describe('every list of the corpus', () => {
  for (const { id, why, acl, body, expect: wanted } of cases) {
    test(`${id}: ${why}`, async () => {
      const { house, door } = await doorFor(acl);
      const before = house.touched;
      using client = connectTo(door.port);
      client.socket.on('error', () => {}); // the door may close while we still send
      client.socket.end(bytesOf(body));
      const lines = (await client.rest()) as Line[];
      expect(house.touched - before).toBe(FIRST_RUNS[id] ?? wanted.ran);
      const refused = lines.filter(({ error }) => error !== undefined);
      if (wanted.status === 200) {
        expect(lines).toHaveLength(1);
        if (wanted.results) expect(lines[0]?.results?.map(({ status }) => status)).toEqual(wanted.results.map(({ status }) => status));
      } else if (NOTHING_SENT.has(id)) expect(lines).toEqual([]);
      else if (FIRST_RUNS[id] === undefined) expect(refused).toHaveLength(1);
      for (const { error } of refused) expect(error?.message).toMatch(/[.?]$/);
      expect('polluted' in {}).toBe(false);
    });
  }
});

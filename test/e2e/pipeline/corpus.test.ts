import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AclRules } from '../../../src/access/acl.ts';
import { FileAutomationException } from '../../../src/core/errors.ts';
import type { RunResult } from '../../../src/core/result.ts';
import { readJson } from '../../../src/lib/json/read.ts';
import corpus from '../../fixtures/corpus/action-lists-bad.json' with { type: 'json' };
import { bytesOf, type CorpusBody } from '../../support/corpus-body.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

interface Case {
  readonly id: string;
  readonly why: string;
  readonly acl?: AclRules;
  readonly body: CorpusBody;
  readonly expect: { readonly status: number | readonly number[]; readonly ran: number; readonly results?: readonly ExpectedResult[] };
}

interface ExpectedResult {
  readonly status: string;
  readonly error?: string;
  readonly value?: unknown;
  readonly value_json?: string;
}

const cases = corpus.cases as readonly Case[]; // the file's own type has every shape of a body spelt out

/** What a refusal is called at each status; a list too long may be told as a bad shape. */
const REFUSALS: Readonly<Record<number, readonly string[]>> = {
  400: ['JsonActionException'],
  403: ['ActionNotPermittedException'],
  413: [],
  422: ['ValidationException', 'DagException'],
};

/** The limit on bytes is kept by the door that receives them. */
const OVER_THE_DOOR = 'sz-8m';

let house: TestHouse;
beforeAll(() => {
  house = openHouse({ files: { 'list-with-deny.json': '[["FA_t_touch"],["FA_t_deny"]]' }, logLevel: 'error' });
});
afterAll(() => house[Symbol.asyncDispose]());

const answerTo = async ({ body, acl }: Case): Promise<RunResult | FileAutomationException> => {
  try {
    return await house.run(readJson(bytesOf(body)), acl === undefined ? {} : { acl });
  } catch (fault) {
    if (fault instanceof FileAutomationException) return fault;
    throw fault;
  }
};

describe('every list of the corpus', () => {
  for (const each of cases.filter(({ id }) => id !== OVER_THE_DOOR)) {
    test(`${each.id}: ${each.why}`, async () => {
      const { status, ran, results } = each.expect;
      const before = house.touched;
      const answer = await answerTo(each);
      expect(house.touched - before).toBe(ran);
      expect('polluted' in {}).toBe(false);
      if (answer instanceof FileAutomationException) {
        expect([status].flat().flatMap((code) => REFUSALS[code] ?? [])).toContain(answer.type);
        expect(answer.message).toMatch(/[.?]$/);
        return;
      }
      expect(status).toBe(200);
      expect(answer.counts.ok + answer.counts.failed + answer.counts.planned).toBe(answer.results.length);
      if (results === undefined) return;
      expect(answer.results.map((entry) => ({ status: entry.status, error: entry.error?.type }))).toEqual(
        results.map((wanted) => ({ status: wanted.status, error: wanted.error })),
      );
      for (const [at, wanted] of results.entries()) {
        const { value } = answer.results[at] ?? {};
        if (wanted.value !== undefined) expect(value).toEqual(wanted.value);
        if (wanted.value_json !== undefined) expect(JSON.stringify(value)).toBe(wanted.value_json);
      }
    });
  }

  test('holds all cases but the one that is the door’s', () => {
    expect(cases).toHaveLength(200);
  });
});

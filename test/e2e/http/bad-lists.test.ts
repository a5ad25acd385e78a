import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AclRules } from '../../../src/access/acl.ts';
import { openService, type Service } from '../../../src/app/serve/serve.ts';
import corpus from '../../fixtures/corpus/action-lists-bad.json' with { type: 'json' };
import { bytesOf, type CorpusBody } from '../../support/corpus-body.ts';
import { cpuMs } from '../../support/cpu-ms.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';

interface Case {
  readonly id: string;
  readonly why: string;
  readonly acl?: AclRules;
  readonly body: CorpusBody;
  readonly expect: { readonly status: number | readonly number[]; readonly ran: number };
}

const cases = corpus.cases as readonly Case[]; // the file's own type has every shape of a body spelt out

/** One token for each access list that the cases speak of; the owner's secret for the others. */
const rules = [...new Set(cases.flatMap(({ acl }) => (acl === undefined ? [] : [JSON.stringify(acl)])))];
const OWNER_SECRET = 'owner-0123456789abcdef';
const secretOf = ({ acl }: Case) => (acl === undefined ? OWNER_SECRET : `token-0123456789abcdef-${rules.indexOf(JSON.stringify(acl))}`);

let house: TestHouse;
let service: Service;
beforeAll(async () => {
  house = openHouse({ files: { 'list-with-deny.json': '[["FA_t_touch"],["FA_t_deny"]]' }, logLevel: 'error' });
  service = await openService(house.factotum, {
    http: { port: 0 },
    sharedSecret: OWNER_SECRET,
    tokens: rules.map((text, at) => {
      const { allow, deny }: AclRules = JSON.parse(text);
      return { name: `t${at}`, secret: `token-0123456789abcdef-${at}`, allow: allow ?? undefined, deny, readWrite: [house.dir.path] };
    }),
  });
});
afterAll(async () => {
  await service.close();
  await house[Symbol.asyncDispose]();
});

/** Every bad list gets its answer for this much processor time. */
const MOST_CPU_MS = 2_000;

describe('every bad list over HTTP', () => {
  test.each(cases.map((each) => [each.id, each.why, each] as const))('%s: %s', async (_id, _why, each) => {
    const before = house.touched;
    const started = cpuMs();
    const response = await fetch(`${service.door('http').url}/actions`, {
      method: 'POST',
      body: bytesOf(each.body),
      headers: { Authorization: `Bearer ${secretOf(each)}`, 'Content-Type': 'application/json' },
    });
    // The largest is a graph of many thousand nodes that really runs.
    if (each.expect.ran <= 100) expect(cpuMs() - started).toBeLessThan(MOST_CPU_MS);
    expect([each.expect.status].flat()).toContain(response.status);
    expect(house.touched - before).toBe(each.expect.ran);
    const body = (await response.json()) as { ok?: boolean; error?: { type?: string }; detail?: string };
    if (response.status === 200) expect(body.ok).toEqual(expect.any(Boolean));
    else expect(body.detail).toMatch(/[.?]$/);
  });

  test('leaves the server well', async () => {
    expect((await fetch(`${service.door('http').url}/healthz`)).status).toBe(200);
  });
});

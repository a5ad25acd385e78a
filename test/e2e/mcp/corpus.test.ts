import { PassThrough } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OWNER } from '../../../src/access/caller.ts';
import type { RunResult } from '../../../src/core/result.ts';
import { createMcpRoute } from '../../../src/servers/mcp/http.ts';
import { serveStdio } from '../../../src/servers/mcp/stdio.ts';
import corpus from '../../fixtures/corpus/action-lists-bad.json' with { type: 'json' };
import { bytesOf, type CorpusBody } from '../../support/corpus-body.ts';
import { cpuMs } from '../../support/cpu-ms.ts';
import { type McpHost, type Message, openHost } from '../../support/mcp-host.ts';
import { type McpHouse, openMcpHouse } from '../../support/mcp-house.ts';

interface Case {
  readonly id: string;
  readonly why: string;
  readonly acl?: { readonly allow?: readonly string[]; readonly deny?: readonly string[] };
  readonly body: CorpusBody;
  readonly expect: {
    readonly status: number | readonly number[];
    readonly ran: number;
    readonly results?: readonly { readonly status: string; readonly error?: string; readonly value?: unknown }[];
  };
}

const cases = corpus.cases as readonly Case[]; // the file's own type has every shape of a body spelt out

/** A host and the server it talks to, under one access list. */
interface Line {
  readonly mcp: McpHouse;
  readonly host: McpHost;
  end(): Promise<void>;
}

const openLine = async ({ acl }: Case): Promise<Line> => {
  const files = { 'list-with-deny.json': '[["FA_t_touch"],["FA_t_deny"]]' };
  const mcp = await openMcpHouse({ files, ...acl });
  const [input, output] = [new PassThrough(), new PassThrough()];
  const served = serveStdio(mcp.parts, { input, output });
  const end = async () => {
    input.end();
    await served;
    await mcp[Symbol.asyncDispose]();
  };
  return { mcp, host: openHost(input, output), end };
};

const lines = new Map<string, Line>();
const lineOf = (each: Case): Line => lines.get(JSON.stringify(each.acl)) as Line; // opened for every list before the tests
beforeAll(async () => {
  for (const each of cases) {
    const key = JSON.stringify(each.acl);
    if (!lines.has(key)) lines.set(key, await openLine(each));
  }
});
afterAll(async () => {
  for (const { end } of lines.values()) await end();
});

const LINE_BREAKS = /[\n\r]/g;

/** A message is one line: breaks between values become blanks, which mean the same. */
const lineFor = (body: Buffer, id: number): Buffer =>
  Buffer.concat([callWith(Buffer.from(body.toString('latin1').replaceAll(LINE_BREAKS, ' '), 'latin1'), id), Buffer.from('\n')]);

const callWith = (list: Buffer, id: number): Buffer => {
  const isObject = /^\s*\{/.test(list.subarray(0, 100).toString('latin1'));
  const [before, after] = isObject ? ['', ''] : ['{"actions":', '}'];
  return Buffer.concat([
    Buffer.from(`{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"factotum_run","arguments":${before}`),
    list,
    Buffer.from(`${after}}}`),
  ]);
};

/** A raw break inside a text: it would be two lines there, so it comes as the body of a request. */
const TWO_LINES = 'sx-ctl';

describe('every list of the corpus, as a call of factotum_run', () => {
  for (const [at, each] of cases.entries()) {
    if (each.id === TWO_LINES) continue;
    test(`${each.id}: ${each.why}`, async () => {
      const { mcp, host } = lineOf(each);
      const { status, ran, results } = each.expect;
      const before = mcp.house.touched;
      const known = host.messages.length;
      const started = cpuMs();
      host.write(lineFor(bytesOf(each.body), at));
      // What cannot be read has no id to answer to.
      const answer = await host.until((message) => host.messages.indexOf(message) >= known && (message.id === at || message.id === null));
      expect(cpuMs() - started).toBeLessThan(2_000);
      expect(mcp.house.touched - before).toBe(ran);
      expect('polluted' in {}).toBe(false);
      if (status !== 200) return expect(errorType(answer)).toMatch(/Exception$/);
      expect(answer.error).toBeUndefined();
      if (results === undefined) return;
      const entries = (answer.result.structuredContent as RunResult).results;
      expect(entries.map((entry) => ({ status: entry.status, error: entry.error?.type }))).toEqual(
        results.map((wanted) => ({ status: wanted.status, error: wanted.error })),
      );
    });
  }
});

test(`${TWO_LINES} over HTTP, where a message may have line breaks`, async () => {
  const [each] = cases.filter(({ id }) => id === TWO_LINES);
  if (each === undefined) throw new Error('The corpus has lost it.');
  const { mcp } = lineOf(each);
  const before = mcp.house.touched;
  const route = createMcpRoute(mcp.parts);
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const body = callWith(bytesOf(each.body), 1);
  const response = await route.fetch(new Request('http://127.0.0.1/mcp', { method: 'POST', headers, body }), OWNER);
  await route.close();
  expect(body.includes('\n')).toBe(true);
  expect(response.status).toBe(each.expect.status);
  expect(errorType((await response.json()) as Message)).toMatch(/Exception$/);
  expect(mcp.house.touched).toBe(before);
});

const errorType = ({ error, result }: Message): string | undefined =>
  error === undefined ? JSON.parse(result.content[0].text).error?.type : error.data?.error?.type;

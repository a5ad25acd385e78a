import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, type Service } from '../../../src/app/serve/serve.ts';
import { defineAction } from '../../../src/core/action.ts';
import { TextOpsException } from '../../../src/core/errors.ts';
import * as shapes from '../../../src/core/shapes.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { openMcpHouse } from '../../support/mcp-house.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { findNewerNode } from './newer-node.ts';

const require = createRequire(import.meta.url);
const SUITE = require.resolve('@modelcontextprotocol/conformance/dist/index.js');

/** What the official suite asks of a server that has tools and nothing else. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'server-sse-polling',
  'dns-rebinding-protection',
];

const NO_LOG = "the log is the operator's; nothing of it goes to clients";
const NO_PROMPTS = 'there are no prompts';
const NO_RESOURCES = 'files are read by tools, under the policy, and not offered as resources';
const ASKS_NOBODY = 'a tool asks neither the model nor the user: it has what it was given';
const TEXT_ONLY = 'a tool answers with structured content and the same as text';

/** Why the other scenarios are not for this server. */
const NOT_OFFERED: Readonly<Record<string, string>> = {
  'logging-set-level': NO_LOG,
  'tools-call-with-logging': NO_LOG,
  'completion-complete': 'it is about arguments of prompts and of templates of resources, of which there are none',
  'tools-call-image': TEXT_ONLY,
  'tools-call-audio': TEXT_ONLY,
  'tools-call-embedded-resource': TEXT_ONLY,
  'tools-call-mixed-content': TEXT_ONLY,
  'tools-call-sampling': ASKS_NOBODY,
  'tools-call-elicitation': ASKS_NOBODY,
  'elicitation-sep1034-defaults': ASKS_NOBODY,
  'elicitation-sep1330-enums': ASKS_NOBODY,
  'json-schema-2020-12': 'it wants a schema written by hand that names its dialect; ours are derived and name none, which means 2020-12',
  'resources-list': NO_RESOURCES,
  'resources-read-text': NO_RESOURCES,
  'resources-read-binary': NO_RESOURCES,
  'resources-templates-read': NO_RESOURCES,
  'resources-subscribe': NO_RESOURCES,
  'resources-unsubscribe': NO_RESOURCES,
  'prompts-list': NO_PROMPTS,
  'prompts-get-simple': NO_PROMPTS,
  'prompts-get-with-args': NO_PROMPTS,
  'prompts-get-embedded-resource': NO_PROMPTS,
  'prompts-get-with-image': NO_PROMPTS,
};

const METHOD_NOT_FOUND = -32_601;

/** The methods of what is not offered. */
const UNKNOWN_METHODS = [
  ['logging/setLevel', { level: 'info' }],
  ['completion/complete', { ref: { type: 'ref/prompt', name: 'x' }, argument: { name: 'a', value: '' } }],
  ['resources/list', {}],
  ['resources/read', { uri: 'file:///etc/passwd' }],
  ['resources/templates/list', {}],
  ['resources/subscribe', { uri: 'file:///etc/passwd' }],
  ['prompts/list', {}],
  ['prompts/get', { name: 'x' }],
] as const;

/** The tools that the suite expects to find, as actions. */
const suiteActions = [
  defineAction({
    name: 'test_simple_text',
    summary: 'Gives a text.',
    args: {},
    returns: shapes.text(),
    examples: [],
    run: () => 'This is a simple text response for testing.',
  }),
  defineAction({
    name: 'test_reconnection',
    summary: 'Gives a text to a client that may come back for it.',
    args: {},
    returns: shapes.text(),
    examples: [],
    run: () => 'Reconnection test completed.',
  }),
  defineAction({
    name: 'test_error_handling',
    summary: 'Fails.',
    args: {},
    returns: shapes.text(),
    examples: [],
    run: () => {
      throw new TextOpsException('This tool intentionally returns an error for testing.');
    },
  }),
  defineAction({
    name: 'test_tool_with_progress',
    summary: 'Tells how far it is.',
    args: {},
    returns: shapes.text(),
    examples: [],
    async run({ progress }) {
      const work = progress('three steps', 100, 'items');
      for (const step of [50, 50]) {
        await new Promise((resolve) => setTimeout(resolve, 300)); // progress is told four times a second
        work.advance(step);
      }
      return 'done';
    },
  }),
];

const node = findNewerNode();

describe.skipIf(node === undefined)(
  `the official conformance suite${node === undefined ? ' (needs Node 22 or newer: none found)' : ''}`,
  () => {
    let house: TestHouse;
    let service: Service;

    beforeAll(async () => {
      house = openHouse({ logLevel: 'error' });
      house.factotum.registry.registerMany(Object.fromEntries(suiteActions.map((action) => [action.name, action])));
      service = await openService(house.factotum, { http: { port: 0 }, mcp: { roots: [house.dir.path], toolsets: ['registered'] } });
    });
    afterAll(async () => {
      await service.close();
      await house[Symbol.asyncDispose]();
    });

    const runSuite = async (...args: readonly string[]): Promise<string> => {
      using dir = tempDir(); // it writes its findings into the working directory
      return (await promisify(execFile)(node ?? '', [SUITE, ...args], { cwd: dir.path })).stdout;
    };

    test.each(SCENARIOS)('%s', async (scenario) => {
      expect(await runSuite('server', '--url', `${service.door('http').url}/mcp`, '--scenario', scenario)).toMatch(/ 0 failed/);
    });

    test('has no scenario that is neither run nor known to be about something else', async () => {
      const listed = [...(await runSuite('list', '--server')).matchAll(/^ {2}- (\S+)/gm)].map(([, name]) => name);
      expect(listed.sort()).toEqual([...SCENARIOS, ...Object.keys(NOT_OFFERED)].sort());
    });
  },
);

test.each(UNKNOWN_METHODS)('%s, which is not offered, is an unknown method', async (method, params) => {
  await using mcp = await openMcpHouse();
  expect((await mcp.request(method, params)).error?.code).toBe(METHOD_NOT_FOUND);
});

import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openService, type Service } from '../../../src/app/serve.ts';
import { defineAction } from '../../../src/core/action.ts';
import { TextOpsException } from '../../../src/core/errors.ts';
import { string } from '../../../src/core/shapes.ts';
import { openHouse, type TestHouse } from '../../support/house.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { findNewerNode } from './newer-node.ts';

const require = createRequire(import.meta.url);
const SUITE = require.resolve('@modelcontextprotocol/conformance/dist/index.js');

/** What the official suite asks of a server that has tools and nothing else; its other scenarios are about what we do not offer. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'tools-call-with-progress',
  'server-sse-multiple-streams',
  'dns-rebinding-protection',
];

/** The tools that the suite expects to find, as actions. */
const suiteActions = [
  defineAction({
    name: 'test_simple_text',
    summary: 'Gives a text.',
    args: {},
    returns: string(),
    examples: [],
    run: () => 'This is a simple text response for testing.',
  }),
  defineAction({
    name: 'test_error_handling',
    summary: 'Fails.',
    args: {},
    returns: string(),
    examples: [],
    run: () => {
      throw new TextOpsException('This tool intentionally returns an error for testing.');
    },
  }),
  defineAction({
    name: 'test_tool_with_progress',
    summary: 'Tells how far it is.',
    args: {},
    returns: string(),
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

    test.each(SCENARIOS)('%s', async (scenario) => {
      using dir = tempDir(); // it writes its findings into the working directory
      const { stdout } = await promisify(execFile)(
        node ?? '',
        [SUITE, 'server', '--url', `${service.door('http').url}/mcp`, '--scenario', scenario],
        { cwd: dir.path },
      );
      expect(stdout).toMatch(/0 failed/);
    });
  },
);

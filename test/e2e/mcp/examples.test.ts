import { mkdirSync, symlinkSync } from 'node:fs';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/server/validators/ajv';
import { describe, expect, test } from 'vitest';
import type { Example } from '../../../src/core/example.ts';
import { loadActions } from '../../laws/all-actions.ts';
import { type McpHouse, openMcpHouse } from '../../support/mcp-house.ts';

const openRoom = async ({ files = {}, dirs = [], links = {}, after = [] }: Example): Promise<McpHouse> => {
  const contents = Object.entries(files).map(
    ([path, content]) => [path, typeof content === 'string' ? content : Buffer.from(content.base64, 'base64')] as const,
  );
  const mcp = await openMcpHouse({ all: true, executes: true, network: true, files: Object.fromEntries(contents) });
  for (const path of dirs) mkdirSync(mcp.house.dir.at(path), { recursive: true });
  for (const [path, target] of Object.entries(links)) symlinkSync(target, mcp.house.dir.at(path));
  // By the same caller: nobody reaches what others have stored.
  if (after.length > 0) expect(await mcp.call('factotum_run', { actions: after })).not.toHaveProperty('isError');
  return mcp;
};

/** The validator that clients of the SDK judge answers with, so not our own. */
const validator = new AjvJsonSchemaValidator();

for (const { about, action } of await loadActions()) {
  if (about.effects.includes('network')) continue;
  if (about.reserved === true) {
    test(`${about.name} is offered to nobody who is not given it by name`, async () => {
      await using mcp = await openMcpHouse({ all: true, executes: true });
      expect((await mcp.listTools()).map(({ name }) => name)).not.toContain(about.name);
    });
    continue;
  }
  describe(`${about.name} as a tool gives what its schema says`, () => {
    for (const [at, example] of action.examples.entries()) {
      test(`example ${at + 1}`, async () => {
        await using mcp = await openRoom(example);
        const tool = (await mcp.listTools()).find(({ name }) => name === about.name);
        expect(validator.getValidator(tool?.inputSchema ?? {})(example.args)).toMatchObject({ valid: true });
        const answer = await mcp.call(about.name, example.args);
        expect(answer.content[0]?.text).toBeTypeOf('string');
        expect(answer.isError).toBe(example.fails === undefined ? undefined : true);
        if (example.fails !== undefined) return;
        expect(validator.getValidator(tool?.outputSchema ?? {})(answer.structuredContent)).toMatchObject({ valid: true });
        // What a tool is given is taken as it is, so that a reference stays one.
        if (example.value === undefined || JSON.stringify(example.args).includes('${')) return;
        const bare = tool?.outputSchema.properties;
        expect(
          typeof bare === 'object' && bare !== null && 'value' in bare ? answer.structuredContent?.value : answer.structuredContent,
        ).toEqual(example.value);
      });
    }
  });
}

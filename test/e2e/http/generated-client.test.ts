import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { expect, test } from 'vitest';
import { openApiDocument } from '../../../src/servers/http/openapi/document.ts';
import { openHttpDoor } from '../../support/http-door.ts';

const GENERATOR = 'node_modules/openapi-typescript-codegen/bin/index.js';
const COMPILER = 'node_modules/typescript-7/bin/tsc';
const SECRET = 'secret-0123456789abcdef';

/** A program as a user of the generated client would write it; the compiler judges the lines that must not pass. */
const PROGRAM = `
import { ActionsService, ApiError, OpenAPI, ServiceService } from './generated/index';

export const use = async (base: string, token: string) => {
  OpenAPI.BASE = base;
  OpenAPI.TOKEN = token;
  const run = await ActionsService.runActions({ requestBody: [['FA_read_file', { file_path: 'a.txt' }], ['FA_list_trash']] });
  const plan = await ActionsService.runActions({ requestBody: { actions: [['FA_remove_file', { file_path: 'a.txt' }]], dry_run: true } });
  const refused = await ActionsService.runActions({ requestBody: { actions: [['FA_list_trash']], expect_plan: '00' } }).catch((fault: ApiError) => fault);
  await ActionsService.ping();
  return {
    run: run.results.map(({ status, value }) => [status, value]),
    plan: plan.results.map(({ status, plan: planned }) => [status, planned?.effects.map(({ kind }) => kind)]),
    refused: refused instanceof ApiError ? [refused.status, refused.body.error.type] : [],
    actions: (await ActionsService.listActions()).actions.length,
    summary: (await ActionsService.describeAction({ name: 'FA_copy_file' })).summary,
    health: (await ServiceService.health()).status,
    ready: (await ServiceService.ready()).status,
  };
};

// @ts-expect-error no such action
export const wrongName = () => ActionsService.runActions({ requestBody: [['FA_copy_fil', { file_path: 'a', target_path: 'b' }]] });
// @ts-expect-error an argument is missing
export const wrongArguments = () => ActionsService.runActions({ requestBody: [['FA_copy_file', { file_path: 'a' }]] });
`;

const CONFIGURATION = JSON.stringify({
  compilerOptions: {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    lib: ['es2022', 'dom'],
    types: [],
  },
  files: ['program.ts'],
});

const run = promisify(execFile);

test.skipIf(!existsSync(GENERATOR))(
  'a client that openapi-typescript-codegen generates from the document compiles and works',
  { timeout: 180_000 },
  async () => {
    const listing = JSON.parse(readFileSync('src/app/listing.generated.json', 'utf8'));
    await using door = await openHttpDoor({ house: { files: { 'a.txt': 'hello' } }, service: { sharedSecret: SECRET } });
    const { dir } = door.house;
    dir.write('client/openapi.json', JSON.stringify(openApiDocument({ listing, version: '1.0.0', url: '/' })));
    dir.write('client/program.ts', PROGRAM);
    dir.write('client/tsconfig.json', CONFIGURATION);
    const folder = dir.at('client');
    await run(process.execPath, [
      GENERATOR,
      '--input',
      join(folder, 'openapi.json'),
      '--output',
      join(folder, 'generated'),
      '--useOptions',
    ]);
    await run(process.execPath, [COMPILER, '-p', folder]);
    await build({
      entryPoints: [join(folder, 'program.ts')],
      bundle: true,
      format: 'esm',
      outfile: join(folder, 'program.mjs'),
      logLevel: 'silent',
    });
    const { use } = await import(pathToFileURL(join(folder, 'program.mjs')).href);
    expect(await use(door.url, SECRET)).toMatchObject({
      run: [
        ['ok', 'hello'],
        ['ok', []],
      ],
      plan: [['planned', ['delete']]],
      refused: [409, 'PlanChangedException'],
      actions: door.house.factotum.registry.names().length,
      summary: 'Copies one file.',
      health: 'ok',
      ready: 'ready',
    });
  },
);

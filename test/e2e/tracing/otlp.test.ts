import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { RunResult } from '../../../src/core/result.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { factotum } from '../cli/built.ts';
import { findNewerNode } from '../mcp/newer-node.ts';
import type { Span } from './span-receiver.ts';
import { openTracedService, type TracedService } from './traced-service.ts';

const SECRET = 'correct-horse-battery-staple';
const HOME = process.env.FACTOTUM_TEST_TRACING_SDKS ?? 'missing';

/** Real SDKs, each with a Node that it runs on. */
const SDKS: readonly (readonly [string, string | undefined])[] = [
  ['0.223.0', process.execPath],
  ['0.301.0', findNewerNode()],
];

const STATUS_ERROR = 2;
const KIND_INTERNAL = 1;
const KIND_SERVER = 2;

for (const [version, node = ''] of SDKS) {
  const sdk = join(HOME, version);
  const isMissing = node === '' || !existsSync(join(sdk, 'node_modules/@opentelemetry/sdk-node'));
  const title = `spans through @opentelemetry/sdk-node ${version}${isMissing ? ' (it, or a Node for it, is missing)' : ''}`;
  describe.skipIf(isMissing)(title, () => {
    let service: TracedService;
    let startedMs: number;
    let before: RunResult;
    let failed: RunResult;
    let graph: RunResult;
    const spanOf = ({ run_id }: RunResult): Span | undefined =>
      service.receiver.spans.find(({ attributes }) => attributes['factotum.run_id'] === run_id);
    const traceOf = (run: RunResult): readonly Span[] => {
      const { traceId } = spanOf(run) ?? {};
      return service.receiver.spans.filter((span) => span.traceId === traceId);
    };

    beforeAll(async () => {
      service = await openTracedService({ sdk, node, env: { DEPLOY_TOKEN: SECRET } });
      before = await service.run([['FA_stat', ['a.txt']]]);
      const init = await service.run([['FA_tracing_init', { service_name: 'files', resource_attributes: { tier: 'test' } }]]);
      expect(init.results[0]).toMatchObject({ value: true });
      expect(init.results[0]?.notes).toBeUndefined();
      startedMs = Date.now();
      failed = await service.run([
        ['FA_with_timeout', { actions: [['FA_create_dir', ['d']]], seconds: 9 }],
        ['FA_read_file', ['${env:DEPLOY_TOKEN}']],
      ]);
      graph = await service.run({ nodes: [{ id: 'look', action: ['FA_stat', ['a.txt']] }] });
      await vi.waitFor(() => expect(spanOf(graph)).toBeDefined(), { timeout: 20_000 });
    }, 180_000);
    afterAll(() => service[Symbol.asyncDispose]());

    test('reach the collector: one for each run, one below for each command, nested ones too', () => {
      const trace = traceOf(failed);
      const nameOf = (id: string | undefined) => trace.find(({ spanId }) => spanId === id)?.name;
      expect(trace.map(({ name, parentSpanId }) => [name, nameOf(parentSpanId)]).sort()).toEqual([
        ['factotum.action FA_create_dir', 'factotum.action FA_with_timeout'],
        ['factotum.action FA_read_file', 'factotum.run'],
        ['factotum.action FA_with_timeout', 'factotum.run'],
        ['factotum.run', undefined],
      ]);
      expect(traceOf(graph).find(({ name }) => name !== 'factotum.run')?.attributes).toMatchObject({ 'factotum.node': 'look' });
    });

    test('say who asked, and what became of it', () => {
      const attributes = { 'service.name': 'files', tier: 'test', 'factotum.caller': 'owner', 'factotum.source': 'http' };
      expect(spanOf(failed)).toMatchObject({
        kind: KIND_SERVER,
        status: { code: STATUS_ERROR },
        attributes: { ...attributes, 'factotum.status': 'failed' },
      });
      expect(spanOf(graph)).toMatchObject({ attributes: { ...attributes, 'factotum.status': 'ok' } });
      expect(spanOf(graph)?.status.code).not.toBe(STATUS_ERROR);
      expect(traceOf(failed).find(({ name }) => name.endsWith('FA_read_file'))).toMatchObject({
        kind: KIND_INTERNAL,
        status: { code: STATUS_ERROR, message: 'FileNotExistsException' },
        attributes: { 'factotum.index': 1, 'factotum.status': 'failed', 'error.type': 'FileNotExistsException' },
      });
      expect(traceOf(failed).find(({ name }) => name.endsWith('FA_create_dir'))?.status.code).not.toBe(STATUS_ERROR);
    });

    test('lie inside the time of their run', () => {
      const { endMs: runEndMs = 0 } = spanOf(failed) ?? {};
      for (const { startMs, endMs } of traceOf(failed)) {
        expect(startMs).toBeGreaterThanOrEqual(startedMs - 1);
        expect(endMs).toBeGreaterThanOrEqual(startMs);
        expect(endMs).toBeLessThanOrEqual(runEndMs + 1);
      }
    });

    test('are not made of what ran before, and tell no secret', () => {
      expect(spanOf(before)).toBeUndefined();
      expect(failed.results[1]).toMatchObject({ status: 'failed' });
      expect(service.receiver.text()).not.toContain(SECRET);
    });
  });
}

/** Every script that a run loads. */
const scriptsOf = (list: unknown): string[] => {
  using dir = tempDir({ 'list.json': JSON.stringify(list) });
  const { code } = factotum(['run', 'list.json', '--no-history'], { cwd: dir.path, env: { NODE_V8_COVERAGE: dir.at('coverage') } });
  expect(code).toBe(0);
  const files = readdirSync(dir.at('coverage')).map((name) => readFileSync(dir.at(`coverage/${name}`), 'utf8'));
  return files.flatMap((text) => (JSON.parse(text) as { readonly result: { readonly url: string }[] }).result.map(({ url }) => url));
};

test('nothing of OpenTelemetry is loaded until spans are wanted', () => {
  const isOfTelemetry = (url: string) => url.includes('@opentelemetry');
  expect(scriptsOf([['FA_list_dir', ['.']], ['FA_tracing_status']]).filter(isOfTelemetry)).toEqual([]);
  expect(scriptsOf([['FA_tracing_init']]).filter(isOfTelemetry)).not.toEqual([]);
});

import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';
import { startServed } from '../service/served.ts';

test.each([true, false])('[server] tracing = %s says whether a service makes spans from its start', async (tracing) => {
  using dir = tempDir({ 'factotum.toml': `[server]\ntracing = ${tracing}\n` });
  await using served = startServed({ cwd: dir.path });
  const answer = await fetch(`${await served.url}/actions`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: '[["FA_tracing_status"]]',
  });
  expect(await answer.json()).toMatchObject({ results: [{ value: tracing }] });
  await served.stop('SIGTERM');
  expect(served.complaints().includes('No OpenTelemetry SDK takes the spans')).toBe(tracing);
});

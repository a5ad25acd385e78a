import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { tempDir } from '../../support/temp-dir.ts';

const script = (name: string): string => pathToFileURL(resolve('scripts', name)).href;

test('what npm has started through a shell hears that npm was told to stop', async () => {
  using dir = tempDir({
    'main.mjs': `import { followParent } from '${script('start/follow-parent.mjs')}';
      followParent(() => { console.log('stopped'); process.exit(); });
      setInterval(() => {}, 1_000);
      console.log('started');`,
  });
  const shell = spawn('sh', ['-c', `${process.execPath} main.mjs; true`], { cwd: dir.path, stdio: ['ignore', 'pipe', 'inherit'] });
  const said = text(shell.stdout); // ends when the last one that holds it has ended
  await once(shell.stdout, 'data');
  shell.kill('SIGTERM'); // the shell alone, as npm does
  expect(await said).toBe('started\nstopped\n');
});

test('two that set up the same clone take turns, and the second says that it waits', async () => {
  using dir = tempDir({
    'main.mjs': `import { spawnSync } from 'node:child_process';
      import { oneAtATime } from '${script('setup.mjs')}';
      await oneAtATime(() => { console.log('begins'); spawnSync('cat', { stdio: ['inherit', 'ignore', 'inherit'] }); });`,
  });
  const start = () => spawn(process.execPath, ['main.mjs'], { cwd: dir.path, stdio: 'pipe' });
  const first = start();
  await once(first.stdout, 'data');
  const second = start();
  const said = text(second.stdout);
  expect(String((await once(second.stderr, 'data'))[0])).toContain('Another process is setting this clone up');
  expect(first.exitCode).toBe(null);
  first.stdin.end();
  await once(second.stdout, 'data');
  second.stdin.end();
  expect(await said).toBe('begins\n');
});

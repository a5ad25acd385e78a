import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sweepDirectory } from '../../../src/files/disk/sweep.ts';
import { type TempDir, tempDir } from '../../support/temp-dir.ts';
import { patience } from '../../support/torture.ts';
import { trialOf } from '../../support/trials/trial.ts';
import { bundle } from './bundle.ts';
import { leftovers, otherDevice } from './ports.ts';

const trial = trialOf('killed-copies-and-moves');
const KILLS = trial.count;
const LONGEST_LIFE_MS = 60;
const HERE = 'h'.repeat(400_000);
const TREE = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`${at % 3}/${at}`, `${at}`.repeat(2000)]));

/** Kills a child that works with files at a random moment of its loop. */
const killOnce = async (script: string, ...directories: string[]): Promise<void> => {
  const child = spawn(process.execPath, [script, ...directories], { stdio: ['ignore', 'pipe', 'pipe'] });
  const complaints: string[] = [];
  child.stderr.on('data', (text) => complaints.push(String(text)));
  const started = await Promise.race([once(child.stdout, 'data'), once(child, 'exit').then(() => undefined)]);
  if (started === undefined) throw new Error(`The child ended by itself: ${complaints.join('')}`);
  const timer = setTimeout(() => child.kill('SIGKILL'), Math.random() * LONGEST_LIFE_MS);
  await once(child, 'exit');
  clearTimeout(timer);
  expect(complaints.join('')).toBe('');
};

/** What is broken in the directory; nothing, if every promise held. */
const faultsIn = (dir: TempDir, elsewhere: string): string[] => {
  const faults: string[] = [];
  const demand = (isTrue: boolean, fault: string) => void (isTrue || faults.push(fault));
  const whole = (text: string | undefined, ...allowed: (string | undefined)[]) => allowed.includes(text);
  demand(/^(?:(.)\1{299999})?$/.test(dir.read('created') ?? ''), 'created is half written');
  demand(whole(dir.read('copied'), undefined, dir.read('one'), dir.read('two')), 'copied is half written');
  demand(
    whole(dir.read('here') ?? dir.read('there'), HERE) && whole(dir.read('there'), undefined, HERE),
    'the moved file is lost or broken',
  );
  const far = existsSync(join(elsewhere, 'traveller')) ? readFileSync(join(elsewhere, 'traveller'), 'utf8') : undefined;
  demand(whole(dir.read('traveller') ?? far, HERE) && whole(far, undefined, HERE), 'the file between devices is lost or broken');
  for (const grown of readdirSync(dir.path).filter((name) => name.startsWith('grown'))) {
    for (const [name, content] of Object.entries(TREE))
      demand(dir.read(`${grown}/${name}`) === content, `${grown}/${name} is missing or broken`);
    rmSync(dir.at(grown), { recursive: true });
  }
  for (const [name, content] of Object.entries(TREE)) {
    demand(whole(dir.read(`merged/${name}`), undefined, content), `merged/${name} is broken`);
    demand(dir.read(`tree/${name}`) === content, `the source tree/${name} is gone`);
  }
  return faults;
};

test(`a process killed ${KILLS} times leaves old files or new ones, never halves`, patience(240_000), async () => {
  using script = await bundle(new URL('./busy-child.ts', import.meta.url));
  using dir = tempDir({ one: '1'.repeat(350_000), two: '2'.repeat(350_000) });
  using other = otherDevice();
  const elsewhere = other?.path ?? dir.at('elsewhere');
  mkdirSync(elsewhere, { recursive: true });
  for (const [name, content] of Object.entries(TREE)) dir.write(`tree/${name}`, content);

  let left = 0;
  for (let kill = 0; kill < KILLS; kill += 1) {
    for (const name of ['here', 'traveller']) if (dir.read(name) === undefined) dir.write(name, HERE);
    rmSync(dir.at('merged'), { recursive: true, force: true });
    await killOnce(script.path, dir.path, elsewhere);
    trial.did();
    expect(faultsIn(dir, elsewhere)).toEqual([]);
    left += leftovers(dir.path).length + leftovers(elsewhere).length;
  }

  // Killed at work, some must have left a temporary file; whoever sweeps next takes all that the last has left.
  expect(left).toBeGreaterThan(0);
  const now = Date.now() + 2 * 3_600_000;
  for (const directory of [dir.path, elsewhere, ...[0, 1, 2].map((at) => dir.at(`merged/${at}`)).filter(existsSync)])
    await sweepDirectory(directory, { now });
  expect([...leftovers(dir.path), ...leftovers(elsewhere)]).toEqual([]);
});

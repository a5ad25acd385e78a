import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { VARIABLES } from '../../src/services/config/derived.generated.ts';

const unit = readFileSync('deploy/factotum.service', 'utf8');
const container = readFileSync('deploy/Containerfile', 'utf8');
const variables = VARIABLES.map(({ name }) => name);

const valueIn = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];

describe('the systemd unit', () => {
  test('makes a state directory that the service accepts', () => {
    expect(valueIn('StateDirectory')).toBe('factotum');
    expect(valueIn('StateDirectoryMode')).toBe('0700'); // left out it is 0755
    expect(valueIn('Environment')).toBe('XDG_STATE_HOME=%S');
  });

  test('gives the service longer to stop than it takes', () => {
    expect(valueIn('KillSignal')).toBe('SIGTERM');
    expect(Number(valueIn('TimeoutStopSec'))).toBeGreaterThan(5);
  });
});

describe('the container file', () => {
  test('sets and names variables that something reads', () => {
    const named = [...container.matchAll(/FACTOTUM_[A-Z_]+/g)].map(([name]) => name);
    expect(named).toContain('FACTOTUM_SHARED_SECRET');
    expect(named.filter((name) => !variables.includes(name))).toEqual([]);
  });

  test('copies only what is in the project, and nothing that was installed or built outside', () => {
    const copied = [...container.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
    expect(copied).toEqual(expect.arrayContaining(['package-lock.json', 'scripts', 'src', 'schema']));
    expect(copied.filter((path) => !existsSync(path) || ['.', 'node_modules', 'dist'].includes(path))).toEqual([]);
  });
});

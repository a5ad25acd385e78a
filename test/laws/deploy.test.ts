import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { EXIT } from '../../src/cli/exit-code.ts';
import { VARIABLES } from '../../src/services/config/derived.generated.ts';
import { tempDir } from '../support/temp-dir.ts';

const unit = readFileSync('deploy/factotum.service', 'utf8');
const container = readFileSync('deploy/Containerfile', 'utf8');
const variables = VARIABLES.map(({ name }) => name);

const valueIn = (key: string): string | undefined => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1];

/** The unit with the lines that its comment gives for a service of the machine. */
const machineUnit = (): string => {
  const lines = [...unit.matchAll(/^# {3}(\w+=.*)$/gm)].map(([, line]) => line);
  return unit.replace('[Service]\n', `[Service]\n${lines.join('\n')}\n`).replace('default.target', 'multi-user.target');
};

describe('the systemd unit', () => {
  test('leaves the state of a user where the command line has it', () => {
    expect(unit).not.toMatch(/^(?:StateDirectory|Environment)=/m);
  });

  test('makes a state directory that the service accepts, where it is one of the machine', () => {
    expect(machineUnit()).toMatch(/^StateDirectory=factotum$/m);
    expect(machineUnit()).toMatch(/^StateDirectoryMode=0700$/m); // left out it is 0755
    expect(machineUnit()).toMatch(/^Environment=XDG_STATE_HOME=%S$/m);
    expect(machineUnit()).toMatch(/^WorkingDirectory=\/.+$/m); // left out it is the top of the file system
  });

  test('gives the service longer to stop than it takes, and does not start again what is configured wrongly', () => {
    expect(valueIn('KillSignal')).toBe('SIGTERM');
    expect(Number(valueIn('TimeoutStopSec'))).toBeGreaterThan(5);
    expect(valueIn('RestartPreventExitStatus')).toBe(`${EXIT.usage} ${EXIT.refused}`);
  });

  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('is one that systemd understands, both ways', () => {
    using dir = tempDir({ 'user.service': unit, 'machine.service': machineUnit() });
    for (const name of ['user.service', 'machine.service']) {
      const { status, stderr } = spawnSync('systemd-analyze', ['verify', dir.at(name)], { encoding: 'utf8' });
      expect({ status, told: stderr.split('\n').filter((line) => line.startsWith(dir.path)) }).toEqual({ status: 0, told: [] });
    }
  });
});

describe('what the unit of the machine leaves open', () => {
  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))('is little: code that is compiled at run time, and the network', () => {
    using dir = tempDir({ 'machine.service': machineUnit() });
    const { stdout } = spawnSync('systemd-analyze', ['security', '--offline=true', '--no-pager', dir.at('machine.service')], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C.UTF-8' },
    });
    expect(Number(/Overall exposure level for \S+: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThanOrEqual(3);
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

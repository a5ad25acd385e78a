import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { ownHosts } from './own-hosts.ts';

const at = (address: string, port: number, further: readonly string[] = []) => [
  ...ownHosts({ address, port, family: address.includes(':') ? 'IPv6' : 'IPv4' }, further),
];

const LOCAL = ['127.0.0.1', 'localhost', '[::1]'];

test('on loopback its own names and addresses with the port, and no others', () => {
  expect(at('127.0.0.1', 9944)).toEqual(LOCAL.map((name) => `${name}:9944`));
  expect(at('::1', 9944)).toEqual(LOCAL.map((name) => `${name}:9944`));
  expect(at('127.0.0.5', 9944)).toContain('127.0.0.5:9944');
});

test('elsewhere those of the machine too; an address that stands for all of them is nobody', () => {
  for (const address of ['0.0.0.0', '::']) {
    expect(at(address, 9944)).toEqual(expect.arrayContaining(['localhost:9944', `${hostname()}:9944`.toLowerCase()]));
    expect(at(address, 9944).filter((name) => /^(?:0\.0\.0\.0|\[::\])/.test(name))).toEqual([]);
  }
});

test('on the ports that clients leave out, with and without it', () => {
  for (const port of [80, 443]) expect(at('127.0.0.1', port)).toEqual([...LOCAL.map((name) => `${name}:${port}`), ...LOCAL]);
});

test('a further name with its port, or alone: then as it is, which is what a proxy hands on, and with the port of this door', () => {
  const further = (name: string) => at('127.0.0.1', 9944, [name]).slice(LOCAL.length);
  expect(further('Files.Example.com')).toEqual(['files.example.com:9944', 'files.example.com']);
  expect(further('files.example.com:8080')).toEqual(['files.example.com:8080']);
  expect(further('2001:db8::1')).toEqual(['[2001:db8::1]:9944', '[2001:db8::1]']);
  expect(further('[2001:db8::1]')).toEqual(['[2001:db8::1]:9944', '[2001:db8::1]']);
  expect(further('[2001:db8::1]:80')).toEqual(['[2001:db8::1]:80']);
});

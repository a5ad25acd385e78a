import { chmodSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { openHouse } from '../../../test/support/house.ts';
import { asOrdinaryUser } from '../../../test/support/ordinary-user.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { FileAutomationException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import { createForesight } from '../../core/planning.ts';
import { placeAnywhere } from '../place.ts';
import { createPlanningFiles } from '../planning.ts';
import { createRealFiles } from '../real.ts';

const { signal } = new AbortController();

const openPorts = (root: string): readonly FilePort[] => {
  const real = createRealFiles({ cwd: root, place: placeAnywhere, policy: undefined, budget: undefined });
  const planning = createPlanningFiles({ real, foresight: createForesight(), policy: undefined, budget: undefined, now: () => 0 });
  return [planning, real];
};

const endOf = async (work: () => Promise<unknown>): Promise<string> => {
  try {
    await work();
    return 'done';
  } catch (fault) {
    if (fault instanceof FileAutomationException) return `${fault.type} ${String(fault.context.code)}`;
    throw fault;
  }
};

const text = Buffer.from('new');

describe('where the system would refuse by modes, a plan refuses too', () => {
  test.each<[string, string, (port: FilePort) => Promise<unknown>]>([
    ['a new file', 'EACCES', (port) => port.write('shut/new', text, { signal })],
    ['a new file below what is missing', 'EACCES', (port) => port.write('shut/d/new', text, { signal })],
    ['a file that is replaced', 'EACCES', (port) => port.write('shut/a', text, { signal })],
    ['an edit', 'EACCES', (port) => port.edit('shut/a', async (_, to) => ({ value: await to.write(text), isChanged: true }), { signal })],
    ['a copy', 'EACCES', (port) => port.copy('a', 'shut/b', { signal, keepMetadata: true })],
    ['a copy of what cannot be read', 'EACCES', (port) => port.copy('secret', 'b', { signal, keepMetadata: true })],
    ['a move out', 'EACCES', (port) => port.move('shut/a', 'b', { signal })],
    ['a move in', 'EACCES', (port) => port.move('a', 'shut/b', { signal })],
    ['a removal', 'EACCES', (port) => port.remove('shut/a')],
    ['the removal of a tree', 'EACCES', (port) => port.removeTree('shut/tree', { signal })],
    ['the removal of a tree with something in it', 'EACCES', (port) => port.removeTree('shut', { signal })],
    ['a directory', 'EACCES', (port) => port.makeDir('shut/d')],
    ['a directory below what is missing', 'EACCES', (port) => port.makeDir('shut/d/e', { parents: true })],
    ['a link', 'EACCES', (port) => port.makeLink('shut/l', 'a')],
    ['a tree', 'EACCES', (port) => port.copyTree('open', 'shut/new', { signal, keepMetadata: true })],
    ['what is added to a tree', 'EACCES', (port) => port.copyTree('open', 'shut', { signal, keepMetadata: false })],
    ['what is put behind a file that may not be written', 'EACCES', (port) => port.append('fixed', () => ({ record: text }), { signal })],
  ])('%s', async (_, code, call) => {
    using dir = tempDir({ a: 'a', secret: 'x', fixed: 'x', 'open/b': 'b', 'shut/a': 'a', 'shut/tree/b': 'b' });
    chmodSync(dir.at('shut'), 0o555);
    chmodSync(dir.at('secret'), 0o000);
    chmodSync(dir.at('fixed'), 0o444);
    const ends = await asOrdinaryUser(dir.path, async () => {
      const found: string[] = [];
      for (const port of openPorts(dir.path)) found.push(await endOf(() => call(port)));
      return found;
    });
    expect(ends).toEqual([`FileAccessException ${code}`, `FileAccessException ${code}`]);
  });

  test('what is put behind a file in such a directory is not refused', async () => {
    using dir = tempDir({ 'shut/a': 'a' });
    chmodSync(dir.at('shut'), 0o555);
    await asOrdinaryUser(dir.path, async () => {
      for (const port of openPorts(dir.path))
        expect(await endOf(() => port.append('shut/a', () => ({ record: text }), { signal }))).toBe('done');
    });
  });

  test('what an earlier command makes may be changed', async () => {
    using dir = tempDir({});
    await asOrdinaryUser(dir.path, async () => {
      for (const port of openPorts(dir.path)) {
        await port.makeDir('d');
        await port.write('d/a', text, { signal });
        expect(await endOf(() => port.remove('d/a'))).toBe('done');
      }
    });
  });
});

describe('a plan names what is touched', () => {
  test.each([
    ['to nothing', 'nowhere/x', 'create'],
    ['to a file', 'there', 'overwrite'],
  ])('where the target is a link %s', async (_, target, kind) => {
    await using house = openHouse({ files: { a: 'a', there: 'old' }, logLevel: 'error' });
    symlinkSync(target, house.dir.at('b'));
    const { results } = await house.run({ actions: [['FA_copy_file', ['a', 'b']]], dry_run: true });
    expect(results[0]?.plan?.effects).toContainEqual({ kind, target: house.dir.at(target), bytes: 1 });
    await house.run([['FA_copy_file', ['a', 'b']]]);
    expect(house.dir.read(target)).toBe('a');
  });
});

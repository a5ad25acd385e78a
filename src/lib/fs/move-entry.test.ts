import { expect, test } from 'vitest';
import { openOwner } from '../../../test/e2e/files/ports.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import type { FilePort, LostProperty } from '../../core/files.ts';
import type { Note } from '../../core/result.ts';
import { moveEntry } from './move-entry.ts';

const { signal } = new AbortController();

const tellOf = async (lost: readonly LostProperty[], unknown?: string) => {
  using dir = tempDir({ a: '1' });
  const real = openOwner(dir.path);
  const notes: Note[] = [];
  const logged: unknown[] = [];
  const move: FilePort['move'] = async (from, to, options) => {
    await real.move(from, to, options);
    if (lost.length > 0 || unknown !== undefined) options.onLost?.(lost, unknown);
  };
  const log = (level: string, message: string) => void logged.push([level, message]);
  await moveEntry({ files: { ...real, move }, signal, note: (note) => void notes.push(note), log }, { from: 'a', to: 'b' });
  return { notes, logged, dir: dir.path };
};

test('a move that keeps everything says nothing', async () => {
  expect(await tellOf([])).toMatchObject({ notes: [], logged: [] });
});

test('what another device did not take is named in a note and in the log', async () => {
  const lost: LostProperty[] = [
    { what: 'owner', count: 3, paths: ['/far/b/x', '/far/b/y'] },
    { what: 'access_list', count: 1, paths: ['/far/b/x'] },
  ];
  const { notes, logged, dir } = await tellOf(lost, 'no program');
  const message =
    `Moved from ${dir}/a to another device, ${dir}/b did not keep everything; lost: owner or group of /far/b/x and 2 more; ` +
    'access list of /far/b/x; extended attributes and access lists, if there were any (no program).';
  expect([notes, logged]).toEqual([[{ kind: 'attributes_lost', message, path: `${dir}/b`, lost }], [['warn', message]]]);
});

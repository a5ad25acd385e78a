import { lstatSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../test/support/temp-dir.ts';
import { createPolicy } from '../access/policy.ts';
import { PathTraversalException, PolicyException } from '../core/errors.ts';
import { placeAnywhere, placeInside, slotOf } from './place.ts';

const USE = { access: 'write', followLinks: true } as const;

describe('the owner finds', () => {
  test('a path as it is', () => {
    using dir = tempDir({ 'd/f': '' });
    using spot = placeAnywhere(dir.at('d/f'), USE);
    expect([spot.at, spot.directory, spot.name, spot.real]).toEqual([dir.at('d/f'), dir.at('d'), 'f', dir.at('d/f')]);
  });

  test('where a link at the end leads, dangling ones too', () => {
    using dir = tempDir();
    symlinkSync('d/f', dir.at('l'));
    using spot = placeAnywhere(dir.at('l'), USE);
    expect(spot.at).toBe(dir.at('d/f'));
    using link = placeAnywhere(dir.at('l'), { ...USE, followLinks: false });
    expect(link.at).toBe(dir.at('l'));
  });

  test('the real path behind links on the way', () => {
    using dir = tempDir({ 'd/f': '' });
    symlinkSync('d', dir.at('l'));
    using spot = placeAnywhere(dir.at('l/f'), USE);
    expect([spot.at, spot.real]).toEqual([dir.at('l/f'), dir.at('d/f')]);
  });

  test('the root of the file system, which has no place to be replaced in', () => {
    using spot = placeAnywhere('/', USE);
    expect(lstatSync(spot.at).isDirectory()).toBe(true);
    expect(() => slotOf(spot)).toThrow(PathTraversalException);
  });

  test('a path so long that no temporary name fits beside it', () => {
    using dir = tempDir();
    let path = dir.path;
    while (path.length < 4095 - 200) path += `/${'n'.repeat(199)}`;
    path += `/${'x'.repeat(4095 - path.length - 3)}`;
    mkdirSync(path, { recursive: true });
    using spot = placeAnywhere(`${path}/f`, USE);
    const beside = spot.beside('temporary name of more than one letter');
    writeFileSync(slotOf(beside), 'x');
    renameSync(slotOf(beside), slotOf(spot));
    expect(lstatSync(`${path}/f`).size).toBe(1);
  });
});

describe('a caller with a policy finds', () => {
  test('what is in a directory that stays the same when its path is swapped', () => {
    using dir = tempDir({ 'root/d/f': 'mine', 'outside/f': 'not mine' });
    using spot = placeInside(createPolicy({ readWrite: [dir.at('root')] }))(dir.at('root/d/f'), USE);
    spot.demandInPlace();
    renameSync(dir.at('root/d'), dir.at('root/d2'));
    symlinkSync(dir.at('outside'), dir.at('root/d'));
    writeFileSync(spot.at, 'changed');
    expect([dir.read('root/d2/f'), dir.read('outside/f')]).toEqual(['changed', 'not mine']);
    expect(() => spot.demandInPlace()).toThrow(PathTraversalException);
  });

  test('nothing outside its roots, by whatever way', () => {
    using dir = tempDir({ 'root/f': '', 'outside/f': '' });
    symlinkSync('../outside', dir.at('root/l'));
    const place = placeInside(createPolicy({ readWrite: [dir.at('root')] }));
    for (const path of ['outside/f', 'root/l/f', 'root/l', 'root-2', '']) expect(() => place(dir.at(path), USE)).toThrow(PolicyException);
  });

  test('its root, to look into and not to replace', () => {
    using dir = tempDir({ 'root/f': '' });
    using spot = placeInside(createPolicy({ readWrite: [dir.at('root')] }))(dir.at('root'), USE);
    expect(lstatSync(spot.at).isDirectory()).toBe(true);
    expect(() => slotOf(spot)).toThrow(PathTraversalException);
    expect(() => spot.beside('x')).toThrow(PathTraversalException);
  });

  test('that a file on the way is a wrong path, not a trick', () => {
    using dir = tempDir({ 'root/f': '' });
    const place = placeInside(createPolicy({ readWrite: [dir.at('root')] }));
    expect(() => place(dir.at('root/f/x/y'), USE)).toThrow(expect.objectContaining({ code: 'ENOTDIR' }));
  });

  test('that a link put on the way after the judgement is refused', () => {
    using dir = tempDir({ 'root/d/f': '', 'outside/f': '' });
    const swap = () => {
      renameSync(dir.at('root/d'), dir.at('root/d2'));
      symlinkSync(dir.at('outside'), dir.at('root/d'));
    };
    const place = placeInside(createPolicy({ readWrite: [dir.at('root')] }), swap);
    expect(() => place(dir.at('root/d/f'), USE)).toThrow(PathTraversalException);
  });

  test('spots beside a spot in the same directory', () => {
    using dir = tempDir({ 'root/d/f': '' });
    using spot = placeInside(createPolicy({ readWrite: [dir.at('root')] }))(dir.at('root/d/f'), USE);
    expect([spot.beside('g').real, spot.beside('g').directory]).toEqual([dir.at('root/d/g'), dirname(spot.at)]);
  });
});

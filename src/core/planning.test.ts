import { describe, expect, test } from 'vitest';
import { createForesight } from './planning.ts';

describe('foresight', () => {
  test('collects the effects of one command, each once', () => {
    const foresight = createForesight();
    const end = foresight.begin();
    foresight.record({ kind: 'read', target: '/a', bytes: 1 });
    foresight.record({ kind: 'create', target: '/a' });
    foresight.record({ kind: 'read', target: '/a', bytes: 1 });
    expect(end()).toEqual([
      { kind: 'read', target: '/a', bytes: 1 },
      { kind: 'create', target: '/a' },
    ]);
  });

  test('keeps the effects of a nested command out of the one around it', () => {
    const foresight = createForesight();
    const endOuter = foresight.begin();
    foresight.record({ kind: 'read', target: '/outer' });
    const endInner = foresight.begin();
    foresight.record({ kind: 'read', target: '/inner' });
    expect(endInner()).toEqual([{ kind: 'read', target: '/inner' }]);
    foresight.record({ kind: 'delete', target: '/outer' });
    expect(endOuter().map(({ target }) => target)).toEqual(['/outer', '/outer']);
  });

  test('remembers what every file looked like when it was first met', () => {
    const foresight = createForesight();
    foresight.record({ kind: 'read', target: '/b' }, { size: 2, mtimeMs: 20 });
    foresight.record({ kind: 'overwrite', target: '/a' }, { size: 1, mtimeMs: 10 });
    foresight.record({ kind: 'read', target: '/b' }, { size: 9, mtimeMs: 90 });
    foresight.record({ kind: 'create', target: '/c' });
    expect(foresight.fingerprints()).toEqual(['/a 1:10', '/b 2:20']);
  });
});

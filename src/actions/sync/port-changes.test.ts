import { appendFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { leftovers, openOwner, signal } from '../../../test/e2e/files/ports.ts';
import { type TempDir, tempDir } from '../../../test/support/temp-dir.ts';
import type { FilePort } from '../../core/files.ts';
import { createPortChanges } from './port-changes.ts';
import type { Work } from './work.ts';

/** Changes through a port whose sources are written to the first few times they are copied. */
const changesIn = (dir: TempDir, disturbances: number) => {
  const port = openOwner(dir.path);
  let left = disturbances;
  const copy: FilePort['copy'] = (from, to, options) => {
    const isDisturbed = left > 0;
    left -= 1;
    const onBytes = (bytes: number) => {
      if (isDisturbed) appendFileSync(from, '+');
      options.onBytes?.(bytes);
    };
    return port.copy(from, to, { ...options, onBytes });
  };
  // All that single changes use of the work.
  return createPortChanges({
    ctx: { files: { ...port, copy }, signal },
    src: 's',
    dst: 'd',
    max_listed: 10,
    trash: false,
  } as unknown as Work);
};

test('a file that is written to while it is read is copied again, and counts once', async () => {
  using dir = tempDir({ 's/log': 'text', 'd/log': 'old' });
  const changes = changesIn(dir, 2);
  await changes.copyFile('log');
  expect([dir.read('d/log'), changes.copied.names, changes.bytes, changes.faults]).toEqual(['text++', ['log'], 6, []]);
});

test('one that is always written to is told, and the target stays as it was', async () => {
  using dir = tempDir({ 's/log': 'text', 'd/log': 'old' });
  const changes = changesIn(dir, Number.POSITIVE_INFINITY);
  await changes.copyFile('log');
  expect([dir.read('d/log'), changes.copied.count, changes.bytes, leftovers(dir.path)]).toEqual(['old', 0, 0, []]);
  expect(changes.faults).toMatchObject([{ side: 'source', relative: 'log', fault: { record: { retryable: true } } }]);
});

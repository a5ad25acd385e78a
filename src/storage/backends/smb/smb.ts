import type { Storage, StorageAbilities } from '../../../core/storage.ts';
import type { BackendWorld } from '../../backend.ts';
import { createSmbFaults } from './faults.ts';
import { makeDir, move, remove, sweep } from './files/change.ts';
import { list, stat } from './files/look.ts';
import { PARTS, resumeParts, startParts } from './files/parts.ts';
import { read } from './files/read.ts';
import type { Share } from './files/share.ts';
import { write } from './files/write.ts';
import { createLink } from './session/link.ts';
import { openSession } from './session/session.ts';
import type { SmbSettings } from './settings.ts';

const CAN: StorageAbilities = {
  range: true,
  exclusiveWrite: true,
  directories: 'real',
  ignoresCase: true,
  hashes: [],
  timeStepMs: 1,
  parts: PARTS,
};

/**
 * A share of an SMB server, versions 2.1 to 3.1.1, with an own client: `wire/` is what messages look like, `security/` how they are proven
 * and hidden, `session/` a connection that somebody is logged in on, `files/` what is done with files on it. One connection serves all calls
 * at once. Everything is signed, or encrypted where the connection, the server or the share says so.
 */
export const openSmb = (settings: SmbSettings, world: BackendWorld): Storage => {
  const { location } = world;
  const faults = createSmbFaults(location);
  const link = createLink((signal) => openSession(settings, { ...world, faults, signal }));
  const share: Share = { session: link.session, faults, clock: world.clock, readers: new Set(), buffers: [] };
  return {
    location,
    can: CAN,
    stat: (path, { signal }) => stat(share, path, signal),
    list: (path, { signal, deep = false }) => list(share, path, signal, { deep }),
    read: (path, options) => read(share, path, options),
    write: (path, content, options) => write(share, path, content, options),
    async remove(path, { signal }) {
      if (path === '') throw faults.isDirectory(path);
      return remove(share, path, signal, 'file');
    },
    makeDir: (path, { signal }) => makeDir(share, path, signal),
    removeDir: (path, { signal }) => remove(share, path, signal, 'dir'),
    move: (from, to, { signal }) => move(share, from, to, signal),
    startParts: (path, options) => startParts(share, path, options),
    resumeParts: (path, ticket, options) => resumeParts(share, path, ticket, options),
    sweep: (path, { signal }) => sweep(share, path, signal),
    [Symbol.asyncDispose]: () => link[Symbol.asyncDispose](),
  };
};

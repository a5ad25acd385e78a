import { afterAll } from 'vitest';
import { storageContract } from '../../../test/contract/storage.ts';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { placeAnywhere } from '../../files/place.ts';
import { createRealFiles } from '../../files/real.ts';
import { localPath, openLocal } from './local.ts';

const dir = tempDir();
afterAll(() => dir[Symbol.dispose]());
const files = createRealFiles({ cwd: dir.path, place: placeAnywhere, policy: undefined, budget: undefined });

storageContract({ name: 'local', directory: localPath('.', files), open: () => openLocal(files) });

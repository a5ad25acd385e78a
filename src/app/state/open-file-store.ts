import type { StoreFile } from '../../core/store-file.ts';
import type { Store } from '../../services/engine/port.ts';

/** Opens the store in a file that a caller names; it is nobody's own, so others may read it. `own` is that of the service. */
export const openFileStore = async ({ path, through, isOnlyRead }: StoreFile, own?: Pick<Store, 'health'>): Promise<Store> => {
  if (through === undefined) {
    const { embeddedStore } = await import('../../services/engine/embedded/embedded-store.ts');
    return embeddedStore({ file: path, isPrivate: false, isOnlyRead: isOnlyRead === true });
  }
  const { copiedStore } = await import('../../services/engine/copied/copied-store.ts');
  return copiedStore(path, through, { ownFile: async () => (await own?.health())?.place });
};

import type { Store } from '../../services/engine/port.ts';

/** Opens the store in a file that a caller names; it is nobody's own, so others may read it. */
export const openFileStore = async (file: string): Promise<Store> => {
  const { embeddedStore } = await import('../../services/engine/embedded/embedded-store.ts');
  return embeddedStore({ file, isPrivate: false });
};

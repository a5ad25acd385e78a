import { homeDirectory } from '../../lib/fs/home-directory.ts';
import { stateDirectory } from '../../lib/fs/state-directory.ts';
import { embeddedStore, storeFileIn } from '../../services/engine/embedded/embedded-store.ts';
import { examineStore } from '../../services/engine/embedded/examine-store.ts';
import type { Store } from '../../services/engine/port.ts';

type Env = Readonly<Record<string, string | undefined>>;

/** The file of the store: the one that `[store]` names, or that of this user. */
export const userStoreFile = ({ path }: { readonly path?: string | undefined }, env: Env): string =>
  path ?? storeFileIn(stateDirectory(env, homeDirectory()));

/** Throws why that store could not be used; opens none and changes none. */
export const examineUserStore = (section: { readonly path?: string | undefined }, env: Env): void =>
  examineStore(userStoreFile(section, env));

/** That store, beside whatever serves it; nothing is opened before the first call. */
export const openUserStore = (section: { readonly path?: string | undefined }, env: Env): Store =>
  embeddedStore({ file: userStoreFile(section, env) });

import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** A module of the bundled services. */
export const load = (scripts, name) => import(pathToFileURL(join(scripts, `${name}.js`)).href);

/** A serving store in a place of its own. */
export const openStore = async (scripts, place) => {
  const { embeddedStore } = await load(scripts, 'embedded-store');
  const writer = pathToFileURL(join(scripts, 'store.worker.js'));
  const store = embeddedStore({ file: join(place, 'factotum.db'), isServing: true, writer });
  await store.ready();
  return store;
};

import type { HouseParts } from '../../pipeline/gateway.ts';
import type { NetworkSettings } from '../factotum.ts';
import type { WebOpener } from './open-web.ts';

/** The web of one instance; its code is loaded when a URL is first asked for. */
export const createLateWeb = (settings: () => NetworkSettings): NonNullable<HouseParts['openWeb']> => {
  let opening: Promise<WebOpener> | undefined;
  const load = async (): Promise<WebOpener> => (await import('./open-web.ts')).createWebOpener(settings);
  return async (options, use) => {
    opening ??= load();
    return (await opening)(options, use);
  };
};

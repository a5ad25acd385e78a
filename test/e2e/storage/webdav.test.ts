import { afterAll } from 'vitest';
import { createNetwork } from '../../../src/lib/net/network.ts';
import type { WebdavSettings } from '../../../src/storage/backends/webdav/settings.ts';
import { openWebdav } from '../../../src/storage/backends/webdav/webdav.ts';
import { storageContract } from '../../contract/storage.ts';
import { describePeer } from '../../support/peers.ts';

const open = (settings: WebdavSettings) =>
  openWebdav(settings, { location: 'webdav+test:/', network: createNetwork(), rules: { allowPrivate: true }, clock: { now: Date.now } });

describePeer('apache-dav', '', async (start) => {
  const peer = await start();
  afterAll(() => peer[Symbol.asyncDispose]());
  const login = { username: peer.user, password: peer.password };
  storageContract({ name: 'webdav, Apache, basic', open: () => open({ base_url: `http://127.0.0.1:${peer.port}/basic`, ...login }) });
  storageContract({ name: 'webdav, Apache, digest', open: () => open({ base_url: `http://127.0.0.1:${peer.port}/digest/`, ...login }) });
  storageContract({
    name: 'webdav, Apache, https',
    open: () => open({ base_url: `https://localhost:${peer.port + 1}/digest`, ...login, ca: peer.dir.read('ca.pem') }),
    directory: 'secure',
  });
});

describePeer('nginx', '', async (start) => {
  const peer = await start();
  afterAll(() => peer[Symbol.asyncDispose]());
  storageContract({
    name: 'webdav, nginx',
    open: () => open({ base_url: `http://127.0.0.1:${peer.port}/dav/`, username: peer.user, password: peer.password }),
    hides: /^\./,
  });
});

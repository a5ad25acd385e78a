import type { WebSocket, WebSocketServer } from 'ws';
import type { Masker } from '../../../access/mask.ts';
import { ActionNotPermittedException } from '../../../core/errors.ts';
import type { ProgressRegistry } from '../../../core/progress.ts';
import type { Registry } from '../../../core/registry.ts';
import { Refused } from '../refuse.ts';
import type { Route } from '../route.ts';
import { chooseProtocol } from '../subprotocol.ts';

export interface ProgressFeedOptions {
  readonly progress: ProgressRegistry;
  readonly registry: Registry;
  readonly masker: Masker;
}

/** A feed that can be ended with its followers. */
export interface ProgressFeed {
  readonly routes: readonly Route[];
  close(): void;
}

/** At most four snapshots a second while something changes. */
const PACE_MS = 250;
/** At least one in this time, so that followers and what stands between see that the feed lives. */
const BEAT_MS = 15_000;
/** A follower that has not taken this much is left out of a round instead of filling our memory. */
const MAX_BACKLOG_BYTES = 1024 * 1024;
/** Followers have nothing to say. */
const MAX_MESSAGE_BYTES = 1024;

/** `GET /progress`: a WebSocket that tells how far all work is. One snapshot is written once for all followers. */
export const openProgressFeed = async ({ progress, registry, masker }: ProgressFeedOptions): Promise<ProgressFeed> => {
  const { WebSocketServer: Sockets } = await import('ws');
  const sockets: WebSocketServer = new Sockets({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    handleProtocols: chooseProtocol,
  });
  const followers = new Set<WebSocket>();
  let pace: NodeJS.Timeout | undefined;
  let beat: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;
  let isStale = false;

  const snapshot = (): string => JSON.stringify(masker.known({ progress: progress.list() }));
  const tell = () => {
    isStale = false;
    const text = snapshot();
    for (const follower of followers) if (follower.bufferedAmount < MAX_BACKLOG_BYTES) follower.send(text);
    beat?.refresh();
  };
  const changed = () => {
    isStale = true;
    pace ??= setTimeout(() => {
      pace = undefined;
      if (isStale) tell();
    }, PACE_MS);
  };
  const begin = () => {
    stopListening = progress.onChange(changed);
    beat = setInterval(tell, BEAT_MS);
    beat.unref();
  };
  const end = () => {
    stopListening?.();
    clearInterval(beat);
    clearTimeout(pace);
    pace = undefined;
  };

  const follow = (follower: WebSocket) => {
    if (followers.size === 0) begin();
    followers.add(follower);
    follower.send(snapshot());
    follower.on('error', () => follower.terminate());
    follower.on('close', () => {
      followers.delete(follower);
      if (followers.size === 0) end();
    });
  };

  return {
    routes: [
      {
        method: 'GET',
        path: '/progress',
        handle: () => {
          throw new Refused(426, 'upgrade-required', 'Progress is told over a WebSocket; ask for an upgrade.', {
            Upgrade: 'websocket',
            Connection: 'Upgrade, close',
          });
        },
        upgrade({ request, socket, head, caller: { acl } }) {
          // Whoever may not list progress may not follow it either.
          if (acl?.permits(LISTING, registry.about(LISTING)) === false) {
            throw new ActionNotPermittedException('This caller may not follow progress; ask the owner to allow FA_progress_list.', {
              context: { action: LISTING },
            });
          }
          sockets.handleUpgrade(request, socket, head, follow);
        },
      },
    ],
    close() {
      end();
      for (const follower of followers) follower.close(1001, 'the service is stopping');
      for (const follower of followers) setTimeout(() => follower.terminate(), CLOSE_PATIENCE_MS).unref();
    },
  };
};

const LISTING = 'FA_progress_list';
const CLOSE_PATIENCE_MS = 250;

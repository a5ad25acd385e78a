import type { WebSocket, WebSocketServer } from 'ws';
import type { Masker } from '../../../access/mask.ts';
import { ActionNotPermittedException } from '../../../core/errors.ts';
import type { ProgressRegistry, ProgressView } from '../../../core/progress.ts';
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
/** A follower that has not taken this much is left out of a round instead of filling our memory, and let go at the next beat. */
const MAX_BACKLOG_BYTES = 1024 * 1024;
/** Followers have nothing to say. */
const MAX_MESSAGE_BYTES = 1024;

/** The followers of one caller: they are told the same. */
interface Audience {
  readonly view: ProgressView;
  readonly followers: Set<WebSocket>;
  /** What they were told last. */
  told: string;
}

/**
 * `GET /progress`: a WebSocket that tells callers how far their own work is, and the owner how far all is. A snapshot is written once for
 * all followers of a caller.
 */
export const openProgressFeed = async ({ progress, registry, masker }: ProgressFeedOptions): Promise<ProgressFeed> => {
  const { WebSocketServer: Sockets } = await import('ws');
  const sockets: WebSocketServer = new Sockets({
    noServer: true,
    perMessageDeflate: false,
    maxPayload: MAX_MESSAGE_BYTES,
    autoPong: false, // it would answer without an end to a client that takes no answer
    handleProtocols: chooseProtocol,
  });
  const audiences = new Map<string, Audience>();
  let pace: NodeJS.Timeout | undefined;
  let beat: NodeJS.Timeout | undefined;
  let stopListening: (() => void) | undefined;
  let isStale = false;

  const snapshot = (view: ProgressView): string => JSON.stringify(masker.known({ progress: view.list() }));
  const tell = (audience: Audience, text: string) => {
    audience.told = text;
    for (const follower of audience.followers) if (!isStuck(follower)) follower.send(text);
  };
  const tellAll = () => {
    for (const audience of audiences.values()) {
      for (const follower of audience.followers) if (isStuck(follower)) follower.terminate();
      tell(audience, snapshot(audience.view));
    }
  };
  /** Those whose work has not changed hear nothing: that others work is not theirs to know. */
  const tellNews = () => {
    isStale = false;
    for (const audience of audiences.values()) {
      const text = snapshot(audience.view);
      if (text !== audience.told) tell(audience, text);
    }
  };
  const changed = () => {
    isStale = true;
    pace ??= setTimeout(() => {
      pace = undefined;
      if (isStale) tellNews();
    }, PACE_MS);
  };
  const begin = () => {
    stopListening = progress.onChange(changed);
    beat = setInterval(tellAll, BEAT_MS);
    beat.unref();
  };
  const end = () => {
    stopListening?.();
    clearInterval(beat);
    clearTimeout(pace);
    pace = undefined;
  };

  const audienceOf = (caller: string): Audience => {
    const known = audiences.get(caller);
    if (known !== undefined) return known;
    const view = progress.seenBy(caller);
    const made: Audience = { view, followers: new Set(), told: snapshot(view) };
    audiences.set(caller, made);
    return made;
  };

  const follow = (follower: WebSocket, caller: string) => {
    if (audiences.size === 0) begin();
    const audience = audienceOf(caller);
    audience.followers.add(follower);
    follower.send(snapshot(audience.view));
    follower.on('error', () => follower.terminate());
    follower.on('ping', (data) => (isStuck(follower) ? follower.terminate() : follower.pong(data)));
    follower.on('close', () => {
      audience.followers.delete(follower);
      if (audience.followers.size === 0) audiences.delete(caller);
      if (audiences.size === 0) end();
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
        upgrade({ request, socket, head, caller: { name, acl } }) {
          // Whoever may not list progress may not follow it either.
          if (acl?.permits(LISTING, registry.about(LISTING)) === false) {
            throw new ActionNotPermittedException('This caller may not follow progress; ask the owner to allow FA_progress_list.', {
              context: { action: LISTING },
            });
          }
          sockets.handleUpgrade(request, socket, head, (follower) => follow(follower, name));
        },
      },
    ],
    close() {
      end();
      for (const follower of [...audiences.values()].flatMap(({ followers }) => [...followers])) {
        follower.close(1001, 'the service is stopping');
        setTimeout(() => follower.terminate(), CLOSE_PATIENCE_MS).unref();
      }
    },
  };
};

const isStuck = ({ bufferedAmount }: WebSocket): boolean => bufferedAmount >= MAX_BACKLOG_BYTES;

const LISTING = 'FA_progress_list';
const CLOSE_PATIENCE_MS = 250;

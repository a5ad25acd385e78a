import { NotYetKnown } from '../../core/planning.ts';
import type { Web, WebOptions } from '../../core/ports/web.ts';
import type { HttpClient } from '../../lib/net/http-client.ts';
import { describeResource } from '../../lib/net/http-resource.ts';
import { createNetwork } from '../../lib/net/network.ts';
import type { StorageUse } from '../../pipeline/run.ts';
import type { NetworkSettings } from '../factotum.ts';

/** Opens the web for one command of one caller. */
export type WebOpener = (options: WebOptions, use: StorageUse) => Web;

/** `settings` is asked each time: they may change while the instance runs. */
export const createWebOpener = (settings: () => NetworkSettings): WebOpener => {
  return ({ timeoutMs, stallMs, maxRedirects }, { caller, foresight }) => {
    const { privateHosts = [], lookup, dial, ca } = settings();
    const client: HttpClient = createNetwork({ ...(lookup && { lookup }), ...(dial && { dial }) }).openHttp({
      rules: { privateHosts },
      ca,
      demandHost: caller.policy?.demandHost,
      connectMs: timeoutMs,
      firstByteMs: timeoutMs,
      idleMs: stallMs,
    });
    return {
      async ask(url, { method, headers = {}, signal }) {
        if (foresight !== undefined && method !== 'HEAD') throw new NotYetKnown('what the server sends');
        const answer = await client.request(url, { method, headers, signal, maxRedirects, maxBytes: Number.POSITIVE_INFINITY });
        const { status, headers: answered, body, drop } = answer;
        if (foresight !== undefined) {
          const { bytes, modifiedMs = 0, validator } = describeResource(status, answered);
          const isKnown = status === 200 && bytes !== undefined;
          foresight.record(
            { kind: 'read', target: url, ...(isKnown && { bytes }) },
            isKnown ? { size: bytes, mtimeMs: modifiedMs, version: validator } : undefined,
          );
        }
        return { status, headers: answered, host: answer.url.host, body, drop };
      },
      [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
    };
  };
};

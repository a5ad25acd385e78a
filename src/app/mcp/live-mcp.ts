import { OWNER } from '../../access/caller.ts';
import type { Doorway } from '../../servers/door.ts';
import type { Exchange, Route } from '../../servers/http/route.ts';
import { assistantOf } from '../callers/callers.ts';
import type { Instance } from '../instance/instance.ts';
import type { Change } from '../reload/change.ts';
import type { McpOptions } from './host-options.ts';
import { openMcpRoutes } from './routes.ts';

/** MCP at an HTTP door, with rights and tools that can be exchanged. */
export interface LiveMcp {
  readonly routes: readonly Route[];
  /** Makes other rights and tools ready; what is called already keeps what it had. */
  prepare(options: McpOptions): Promise<Change>;
  close(): Promise<void>;
}

interface Edition extends Awaited<ReturnType<typeof openMcpRoutes>> {
  readonly written: string;
  /** Calls under way. */
  calls: number;
}

export const openLiveMcp = async (factotum: Instance, doorway: Doorway, first: McpOptions): Promise<LiveMcp> => {
  const open = async (options: McpOptions): Promise<Edition> => ({
    ...(await openMcpRoutes(factotum, doorway, options)),
    written: JSON.stringify(options),
    calls: 0,
  });
  let current = await open(first);
  /** What assistants have stored runs with the rights of now. */
  const makeKnown = (options: McpOptions) => {
    const { callers } = factotum;
    const assistant = assistantOf(options, callers.get(OWNER.name) ?? OWNER);
    callers.set(assistant.name, assistant);
  };
  makeKnown(first);

  /** Ends an edition that is out of date once nobody uses it; that it cannot be closed concerns nobody who calls now. */
  const closeIdle = async (edition: Edition): Promise<void> => {
    if (edition === current || edition.calls > 0) return;
    try {
      await edition.close();
    } catch (fault) {
      factotum.log('warn', 'tools that are out of date could not be closed', { reason: String(fault) });
    }
  };

  const handle = async (at: number, exchange: Exchange): Promise<undefined> => {
    const edition = current;
    if (exchange.request.method !== 'POST') {
      await edition.routes[at]?.handle(exchange); // a stream, which its client opens again when it ends
      return;
    }
    edition.calls += 1;
    try {
      await edition.routes[at]?.handle(exchange);
    } finally {
      edition.calls -= 1;
      await closeIdle(edition);
    }
  };

  return {
    routes: current.routes.map((route, at) => ({ ...route, handle: (exchange) => handle(at, exchange) })),
    async prepare(options) {
      if (JSON.stringify(options) === current.written) return { apply: () => makeKnown(options), revert() {} };
      const next = await open(options);
      return {
        async apply() {
          const old = current;
          current = next;
          makeKnown(options);
          await closeIdle(old);
        },
        revert: () => next.close(),
      };
    },
    close: () => current.close(),
  };
};

import type { Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { McpParts } from './parts.ts';
import { narrowRights } from './rights/client-roots.ts';
import { callerWith } from './rights/rights.ts';
import { createServer, type Speaker } from './server.ts';
import { createTools } from './tools/tools.ts';

/** A lasting connection to one host. */
export interface Connection {
  close(): Promise<void>;
}

/** How long a client may think about its roots. */
const ROOTS_TIMEOUT_MS = 5_000;

/** Serves one host over a transport of its own: what it says first decides which revision is spoken. */
export const openConnection = (parts: McpParts, transport: Transport): Connection => {
  const { registry, log } = parts;
  const tools = createTools(parts);
  const complain = (fault: unknown) => log('warn', 'The MCP connection has a fault.', { reason: String(fault) });
  return serveStdio(
    ({ era }) => {
      const server = createServer(parts, tools, (own) => (era === 'legacy' ? speakerWithRoots(own, parts) : speakerOf(parts)));
      const forget = registry.onChange(() => {
        // A host that has not introduced itself yet has listed nothing.
        if (server.getNegotiatedProtocolVersion() !== undefined) server.sendToolListChanged().catch(complain);
      });
      server.onclose = forget;
      return server;
    },
    { transport, onerror: complain },
  );
};

const speakerOf = ({ rights }: McpParts): Speaker => {
  const caller = callerWith(rights);
  return { caller, forCall: () => caller };
};

/** Hosts of older revisions may have roots; what they announce is asked for once they are ready, and whenever it changes. */
const speakerWithRoots = (server: Server, parts: McpParts): Speaker => {
  const { rights, log } = parts;
  const { caller } = speakerOf(parts);
  let current = Promise.resolve(caller);
  const ask = () => {
    current = server.listRoots(undefined, { timeout: ROOTS_TIMEOUT_MS }).then(
      ({ roots }) => callerWith(narrowRights(rights, roots)),
      (fault: unknown) => {
        log('warn', 'The client did not tell its roots; those of the server hold.', { reason: String(fault) });
        return caller;
      },
    );
    current.catch(() => {}); // met by the next call
  };
  server.oninitialized = () => {
    if (server.getClientCapabilities()?.roots !== undefined) ask();
  };
  server.setNotificationHandler('notifications/roots/list_changed', ask);
  return { caller, forCall: () => current };
};

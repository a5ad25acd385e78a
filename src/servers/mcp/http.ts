import { type AuthInfo, createMcpHandler } from '@modelcontextprotocol/server';
import { type Caller, OWNER } from '../../access/caller.ts';
import { FileAutomationException, MCPServerException } from '../../core/errors.ts';
import { readJsonInSlices } from '../../lib/json/read-in-slices.ts';
import type { McpParts } from './parts.ts';
import { narrowCaller } from './rights/narrow-caller.ts';
import { callerWith } from './rights/rights.ts';
import { createServer, type Speaker } from './server.ts';
import { createTools } from './tools/tools.ts';
import { demandArguments, LEVELS_ABOVE_LIST, refusal } from './wire/message.ts';

/** MCP as a route of an HTTP door, which has judged and authenticated the request before. */
export interface McpRoute {
  /** Answers a request of any method; one that the client abandons is cancelled through the request's signal. */
  fetch(request: Request, caller: Caller): Promise<Response>;
  /** Ends the streams that are open. */
  close(): Promise<void>;
}

/** Serves each request on its own, of the stateless revision and of the older ones alike. */
export const createMcpRoute = (parts: McpParts): McpRoute => {
  const { registry, log, limits } = parts;
  const tools = createTools(parts);
  const own = callerWith(parts.rights);
  const handler = createMcpHandler(({ authInfo }) => createServer(parts, tools, () => speakerOf(authInfo, own)), {
    onerror: (fault) => log('debug', 'An MCP request was refused.', { reason: fault.message }),
  });
  const forget = registry.onChange(handler.notify.toolsChanged);

  return {
    async fetch(request, caller) {
      const authInfo: AuthInfo = { token: '', clientId: caller.name, scopes: [], extra: { caller: limited(caller, own) } };
      if (request.method !== 'POST') return handler.fetch(request, { authInfo });
      try {
        const body = await readBody(request, limits.bodyBytes);
        if (body === undefined) return Response.json(refusal(null, tooLarge(limits.bodyBytes)), { status: 413 });
        const parsedBody = await readJsonInSlices(body, { maxDepth: limits.jsonDepth + LEVELS_ABOVE_LIST });
        demandArguments(parsedBody);
        return await handler.fetch(asJson(request), { authInfo, parsedBody });
      } catch (fault) {
        if (!(fault instanceof FileAutomationException)) throw fault;
        return Response.json(refusal(null, fault), { status: 400 });
      }
    },
    async close() {
      forget();
      await handler.close();
    },
  };
};

/** Nobody is the owner here, not by name either, and the holder of a token has what both grant. */
const limited = (caller: Caller, own: Caller): Caller => {
  if (caller.acl === undefined && caller.policy === undefined) return own;
  return caller.name === OWNER.name ? narrowCaller(own, caller) : narrowCaller(caller, own);
};

/** Without a caller of its own a request gets the rights that every host has. */
const speakerOf = (authInfo: AuthInfo | undefined, own: Caller): Speaker => {
  const caller = (authInfo?.extra?.caller as Caller | undefined) ?? own; // put there by `fetch`
  return { caller, forCall: () => caller };
};

/** The door has judged the media type, and none at all counts as JSON. */
const asJson = (request: Request): Request => {
  if (request.headers.has('content-type')) return request;
  const headers = new Headers(request.headers);
  headers.set('content-type', 'application/json');
  return new Request(request.url, { method: request.method, headers, signal: request.signal });
};

const tooLarge = (maxBytes: number) =>
  new MCPServerException(`The body is longer than ${maxBytes} bytes; send less at once.`, { context: { max_bytes: maxBytes } });

/** Undefined for a body that is too large, of which no more is read than that. */
const readBody = async (request: Request, maxBytes: number): Promise<Buffer | undefined> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.length;
    if (size > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
};

import type { Doorway } from '../../servers/door.ts';
import { answerByFetch } from '../../servers/http/answer-by-fetch.ts';
import type { Exchange, Route } from '../../servers/http/route.ts';
import type { Instance } from '../instance/instance.ts';
import type { McpOptions } from './host-options.ts';
import { mcpParts } from './mcp.ts';

/** MCP over HTTP: every method of `/mcp` goes to one handler, after the checks that every request passes. */
export const openMcpRoutes = async (
  factotum: Instance,
  { gateway, limits, turnstile }: Doorway,
  options: McpOptions,
): Promise<{ readonly routes: readonly Route[]; close(): Promise<void> }> => {
  const parts = await mcpParts({ ...factotum, gateway, limits, turnstile }, options);
  const { createMcpRoute } = await import('../../servers/mcp/http.ts');
  const route = createMcpRoute(parts);
  const handle = (exchange: Exchange) => answerByFetch(exchange, (asked) => route.fetch(asked, exchange.caller));
  return {
    routes: [
      { method: 'POST', path: '/mcp', takesJson: true, handle },
      { method: 'GET', path: '/mcp', handle },
      { method: 'DELETE', path: '/mcp', handle },
    ],
    close: () => route.close(),
  };
};

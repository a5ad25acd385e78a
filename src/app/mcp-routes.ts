import type { Doorway } from '../servers/door.ts';
import type { Exchange, Route } from '../servers/http/route.ts';
import type { Factotum } from './create.ts';
import { type McpOptions, mcpParts } from './mcp.ts';

/** MCP over HTTP: every method of `/mcp` goes to one handler, after the checks that every request passes. */
export const openMcpRoutes = async (
  factotum: Factotum,
  { gateway, limits, turnstile }: Doorway,
  options: McpOptions,
): Promise<{ readonly routes: readonly Route[]; close(): Promise<void> }> => {
  const parts = await mcpParts({ ...factotum, gateway, limits, turnstile }, options);
  const [{ createMcpRoute }, { getRequestListener }] = await Promise.all([import('../servers/mcp/http.ts'), import('@hono/node-server')]);
  const route = createMcpRoute(parts);
  const handle = async ({ request, response, caller }: Exchange): Promise<undefined> => {
    const answer = getRequestListener((asked) => route.fetch(asked, caller), { overrideGlobalObjects: false });
    await answer(request, response);
    return undefined;
  };
  return {
    routes: [
      { method: 'POST', path: '/mcp', takesJson: true, handle },
      { method: 'GET', path: '/mcp', handle },
      { method: 'DELETE', path: '/mcp', handle },
    ],
    close: () => route.close(),
  };
};

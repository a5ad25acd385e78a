import type { McpOptions } from '../../src/app/mcp/host-options.ts';
import { mcpParts } from '../../src/app/mcp/mcp.ts';
import { openMailbox } from '../../src/servers/mcp/mailbox.ts';
import type { McpParts } from '../../src/servers/mcp/parts.ts';
import { openHouse, openOn, type TestHouse, type TestHouseOptions } from './house.ts';

/** What a tool answers. */
export interface ToolAnswer {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent?: Readonly<Record<string, unknown>>;
  readonly isError?: boolean;
}

/** A JSON-RPC answer as it is on the wire. */
export interface RpcAnswer {
  readonly id: unknown;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

/** A tool as it is listed. */
export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: { readonly [key: string]: unknown };
  readonly outputSchema: { readonly [key: string]: unknown };
  readonly annotations: Readonly<Record<string, boolean>>;
}

/** An instance with an MCP server on it and a host that talks to it. */
export interface McpHouse extends AsyncDisposable {
  readonly house: TestHouse;
  readonly parts: McpParts;
  /** Sends a request and gives the whole answer. */
  request(method: string, params?: object): Promise<RpcAnswer>;
  listTools(): Promise<readonly ListedTool[]>;
  /** Calls a tool; a protocol fault fails the test. */
  call(name: string, given?: object): Promise<ToolAnswer>;
}

export interface McpHouseOptions extends Partial<McpOptions> {
  readonly files?: TestHouseOptions['files'];
}

/** Opens an instance whose directory is the server's root, unless other roots are given. */
export const openMcpHouse = async ({ files = {}, ...options }: McpHouseOptions = {}): Promise<McpHouse> => {
  const house = openHouse({ files, logLevel: 'error' });
  const parts = await openOn(house, () => mcpParts(house.factotum, { roots: [house.dir.path], ...options }));
  const mailbox = openMailbox(parts);
  let lastId = 0;
  const request: McpHouse['request'] = async (method, params = {}) => {
    lastId += 1;
    return (await mailbox.post({ jsonrpc: '2.0', id: lastId, method, params })) as RpcAnswer; // the wire form
  };
  const resultOf = async <T>(method: string, params: object): Promise<T> => {
    const { result, error } = await request(method, params);
    if (error !== undefined) throw new Error(`${method} was refused: ${error.message}`);
    return result as T; // what the protocol says of the method
  };
  return {
    house,
    parts,
    request,
    listTools: async () => (await resultOf<{ tools: ListedTool[] }>('tools/list', {})).tools,
    call: (name, given = {}) => resultOf('tools/call', { name, arguments: given }),
    async [Symbol.asyncDispose]() {
      await mailbox.close();
      await house[Symbol.asyncDispose]();
    },
  };
};

/** The typed error that a failed tool tells. */
export const errorOf = ({ content }: ToolAnswer): { type: string; message: string; context: Record<string, unknown> } =>
  JSON.parse(content[0]?.text ?? '{}').error;

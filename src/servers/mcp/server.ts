import { ProtocolError, ProtocolErrorCode, Server, type ServerContext } from '@modelcontextprotocol/server';
import type { Caller } from '../../access/caller.ts';
import { FileAutomationException, InternalException } from '../../core/errors.ts';
import type { ErrorRecord } from '../../core/result.ts';
import type { McpParts } from './parts.ts';
import { answerError } from './tools/answers.ts';
import type { Given, ToolCall } from './tools/tool.ts';
import type { Tools } from './tools/tools.ts';

/** Who speaks on a connection. */
export interface Speaker {
  /** What the tools are listed for. */
  readonly caller: Caller;
  /** What a call may do; throws where the client's own roots leave nothing. */
  forCall(): Caller | Promise<Caller>;
}

const LIST_CHANGED = 'notifications/tools/list_changed';

/** One protocol instance: it lists and calls tools. The low-level class, for schemas and checks are those of the definitions. */
export const createServer = (parts: McpParts, tools: Tools, speaker: (server: Server) => Speaker): Server => {
  const server = new Server(parts.identity, {
    capabilities: { tools: { listChanged: true } },
    instructions: instructions(parts),
    debouncedNotificationMethods: [LIST_CHANGED],
  });
  const { caller, forCall } = speaker(server);

  server.setRequestHandler('tools/list', () => ({ tools: tools.list(caller).map(({ name, describe }) => ({ name, ...describe() })) }));
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const tool = tools.find(params.name, caller);
    if (tool === undefined) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool called ${JSON.stringify(params.name.slice(0, 128))}; list the tools.`,
      );
    }
    try {
      const given: Given = params.arguments ?? {};
      return await tool.call(given, { caller: await forCall(), signal: ctx.mcpReq.signal, report: reporter(parts, ctx) });
    } catch (fault) {
      return answerError(parts.masker.known(typed(fault, parts).toJSON()) as ErrorRecord); // masking keeps the shape
    }
  });
  return server;
};

const instructions = ({ rights }: McpParts): string => {
  const roots = [...rights.roots, ...(rights.readOnlyRoots ?? [])];
  return [
    'Works on files with typed actions.',
    'Beyond the tools listed, factotum_find_actions finds further actions and factotum_run runs lists of them.',
    ...(rights.readOnly === true ? ['Nothing can be changed here.'] : ['Look at factotum_plan before changing or removing many files.']),
    roots.length === 0
      ? 'No file can be reached: the configuration names no root.'
      : `Paths must lie below ${roots.join(' or ')}; relative ones count from the first.`,
  ].join(' ');
};

/** Sends progress to a client that gave a token for it. A client that is gone needs none. */
const reporter = ({ log }: McpParts, { mcpReq }: ServerContext): ToolCall['report'] => {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return undefined;
  return (progress) =>
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, ...progress } })
      .catch((fault: unknown) => log('debug', 'Progress could not be told.', { reason: String(fault) }));
};

const typed = (fault: unknown, { log }: McpParts): FileAutomationException => {
  if (fault instanceof FileAutomationException) return fault;
  log('error', 'A tool call failed in an unforeseen way.', {
    stack: fault instanceof Error ? (fault.stack ?? fault.message) : String(fault),
  });
  return new InternalException('The call failed in an unforeseen way; the log has the details.', { cause: fault });
};

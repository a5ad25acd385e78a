import { type JSONRPCMessage, ProtocolErrorCode, parseJSONRPCMessage } from '@modelcontextprotocol/server';
import { type FileAutomationException, JsonActionException, MCPServerException } from '../../../core/errors.ts';

/** A list stands in `actions` of the `arguments` in the `params` of a message: so much deeper may a message nest than a list. */
export const LEVELS_ABOVE_LIST = 3;

/** Takes a value as a message; throws an `MCPServerException` where it is none. */
export const readMessage = (value: unknown): JSONRPCMessage => {
  demandArguments(value);
  try {
    return parseJSONRPCMessage(value);
  } catch (cause) {
    throw new MCPServerException('This is no JSON-RPC 2.0 message; send one request or notification at a time.', { cause });
  }
};

/** Refuses arguments that the SDK would leave out without a word: what somebody wrote must not be passed over. */
export const demandArguments = (value: unknown): void => {
  for (const message of Array.isArray(value) ? value : [value]) {
    const given = ownValue(ownValue(message, 'params'), 'arguments');
    if (ownValue(given, '__proto__') !== undefined) throw new MCPServerException('No tool has an argument called __proto__; leave it out.');
  }
};

/** The answer to what is no message, or to a message that cannot be taken. */
export const refusal = (id: unknown, fault: FileAutomationException): object => {
  const code = fault instanceof JsonActionException ? ProtocolErrorCode.ParseError : ProtocolErrorCode.InvalidRequest;
  return { jsonrpc: '2.0', id, error: { code, message: fault.message, data: { error: fault.toJSON() } } };
};

const ownValue = (holder: unknown, key: string): unknown =>
  typeof holder === 'object' && holder !== null ? Object.getOwnPropertyDescriptor(holder, key)?.value : undefined;

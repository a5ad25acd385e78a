import type { Sealer } from '../security/sealing.ts';
import type { Signer } from '../security/signing.ts';
import { FLAG, HEADER_BYTES, writeHeader } from '../wire/header.ts';
import type { Request } from '../wire/message.ts';

export interface Outbound {
  readonly firstId: number;
  readonly charges: readonly number[];
  /** How many credits each request asks for, in their order. */
  readonly creditsOf: () => number;
  readonly sessionId: bigint;
  readonly treeId: number;
  readonly signer?: Signer;
  readonly sealer?: Sealer | undefined;
  readonly isSealed: boolean;
  readonly isLarge: boolean;
  /** Of the answer that is called off. */
  readonly asyncId?: bigint;
}

/**
 * The bytes of a frame: its length, then each request behind a header, signed one by one or encrypted as a whole. Data of the last request
 * is not copied.
 */
export const frameOf = (
  requests: readonly Request[],
  options: Outbound,
): { readonly pieces: readonly Buffer[]; readonly message: Buffer } => {
  const sizes = requests.map(({ body }, at) => {
    const bytes = HEADER_BYTES + body.byteLength;
    return at === requests.length - 1 ? bytes : Math.ceil(bytes / 8) * 8;
  });
  const message = Buffer.alloc(sizes.reduce((sum, bytes) => sum + bytes, 0));
  const data = requests.at(-1)?.data;
  let messageId = options.firstId;
  let at = 0;
  requests.forEach(({ command, body }, index) => {
    const bytes = sizes[index] ?? 0;
    const charge = options.charges[index] ?? 0;
    const isLast = index === requests.length - 1;
    const part = message.subarray(at, at + bytes);
    writeHeader(part, {
      command,
      charge: options.isLarge ? charge : 0,
      credits: options.creditsOf(),
      flags: (index === 0 ? 0 : FLAG.related) | (options.asyncId === undefined ? 0 : FLAG.async),
      next: isLast ? 0 : bytes,
      messageId,
      treeId: options.treeId,
      sessionId: options.sessionId,
      ...(options.asyncId !== undefined && { asyncId: options.asyncId }),
    });
    body.copy(part, HEADER_BYTES);
    if (!options.isSealed) options.signer?.sign(isLast && data !== undefined ? [part, data] : [part]);
    messageId += charge;
    at += bytes;
  });
  const plain = data === undefined ? [message] : [message, data];
  const pieces = options.isSealed && options.sealer !== undefined ? options.sealer.seal(plain, options.sessionId) : plain;
  const head = Buffer.alloc(4);
  head.writeUInt32BE(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0));
  const [first, ...others] = pieces;
  return { pieces: [first === undefined ? head : Buffer.concat([head, first]), ...others], message };
};

import { SMBException } from '../../../../core/errors.ts';
import { malformed } from '../wire/bytes.ts';
import { isNtlm } from './ntlm.ts';

/** The object ids of SPNEGO (1.3.6.1.5.5.2) and NTLM (1.3.6.1.4.1.311.2.2.10), as they are encoded. */
const SPNEGO = Buffer.from('06062b0601050502', 'hex');
const NTLM = Buffer.from('060a2b06010401823702020a', 'hex');

const TAG = { application: 0x60, sequence: 0x30, octets: 0x04 } as const;

/**
 * How login messages travel: in SPNEGO where the server speaks it, bare where it says nothing. `offer` is what its negotiate answer holds;
 * a server that takes no NTLM at all is refused here, before anything of the user is sent.
 */
export const isSpnegoOffered = (offer: Buffer): boolean => {
  if (offer.byteLength === 0 || isNtlm(offer)) return false;
  if (!offer.includes(NTLM)) {
    throw new SMBException(
      'The server takes no NTLM logins (Kerberos only?), and this client knows no other; allow NTLM there for this user.',
      {
        context: { code: 'unsupported' },
      },
    );
  }
  return true;
};

/** The first login message, with NTLM as the only offer. */
export const wrapFirst = (token: Buffer): Buffer => {
  const init = der(0xa0, der(TAG.sequence, der(0xa0, mechanisms()), der(0xa2, der(TAG.octets, token))));
  return der(TAG.application, SPNEGO, init);
};

/** The last one, with a signature over what was offered. */
export const wrapLast = (token: Buffer, sign: (text: Buffer) => Buffer): Buffer =>
  der(0xa1, der(TAG.sequence, der(0xa2, der(TAG.octets, token)), der(0xa3, der(TAG.octets, sign(mechanisms())))));

/** The list of mechanisms that is offered: NTLM and nothing else. */
const mechanisms = (): Buffer => der(TAG.sequence, NTLM);

/** The login message in an answer: bare, or in SPNEGO. Empty where the answer has none. */
export const unwrap = (answer: Buffer): Buffer => {
  if (answer.byteLength === 0 || isNtlm(answer)) return answer;
  const response = demand(readDer(answer), 0xa1);
  const fields = demand(readDer(response), TAG.sequence);
  for (let at = 0; at < fields.byteLength; ) {
    const field = readDer(fields.subarray(at));
    if (field.tag === 0xa2) return demand(readDer(field.content), TAG.octets);
    at += field.bytes;
  }
  return Buffer.alloc(0);
};

interface DerValue {
  readonly tag: number;
  readonly content: Buffer;
  /** With tag and length. */
  readonly bytes: number;
}

const readDer = (bytes: Buffer): DerValue => {
  const tag = bytes[0];
  const first = bytes[1];
  if (tag === undefined || first === undefined) throw malformed('a login message that is cut short');
  const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
  if (lengthBytes > 3 || first === 0x80 || bytes.byteLength < 2 + lengthBytes) throw malformed('a login message that is cut short');
  const length = lengthBytes === 0 ? first : bytes.readUIntBE(2, lengthBytes);
  const start = 2 + lengthBytes;
  if (start + length > bytes.byteLength) throw malformed('a login message that ends outside of its message');
  return { tag, content: bytes.subarray(start, start + length), bytes: start + length };
};

const demand = ({ tag, content }: DerValue, expected: number): Buffer => {
  if (tag !== expected) throw malformed('a login message in an unknown form');
  return content;
};

const der = (tag: number, ...contents: readonly Buffer[]): Buffer => {
  const content = Buffer.concat(contents);
  const length = content.byteLength;
  const head = length < 0x80 ? [tag, length] : length < 0x100 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255];
  return Buffer.concat([Buffer.from(head), content]);
};

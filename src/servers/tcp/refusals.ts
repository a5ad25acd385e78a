import { wordsOf } from '../../access/shares.ts';
import {
  CancelledException,
  type FileAutomationException,
  JsonActionException,
  RateLimitExceededException,
  TCPAuthException,
  TimeoutException,
} from '../../core/errors.ts';
import type { Wait } from '../turnstile.ts';

// Everything a connection is turned away with, in one place, so that the words agree.

export const strayByte = (byte: number): FileAutomationException =>
  new JsonActionException(`The byte 0x${hex(byte)} cannot start a list; send [ or {, and nothing between lists but white space.`, {
    context: { reason: 'stray_byte', byte },
  });

export const listTooLarge = (maxBytes: number): FileAutomationException =>
  new JsonActionException(`A list may have ${maxBytes} bytes; send it in parts.`, { context: { reason: 'size', limit: maxBytes } });

export const listTooDeep = (maxDepth: number): FileAutomationException =>
  new JsonActionException(`Arrays and objects are nested more than ${maxDepth} levels deep; make the list flatter.`, {
    context: { reason: 'depth', limit: maxDepth },
  });

export const listCutShort = (): FileAutomationException =>
  new JsonActionException('The connection was ended in the middle of a list; nothing of it ran, so send it again as a whole.', {
    context: { reason: 'unfinished' },
  });

export const listTooSlow = (): FileAutomationException =>
  new TimeoutException('The list came too slowly; nothing of it ran, so send it again without long pauses.', { retryable: true });

export const lineTooLong = (maxBytes: number): FileAutomationException =>
  new TCPAuthException(`The AUTH line is longer than ${maxBytes} bytes; send AUTH, a space, the secret and a line end.`);

export const secretMissing = (): FileAutomationException =>
  new TCPAuthException('This server asks for a secret; start the connection with AUTH, a space, the secret and a line end.');

export const secretWrong = (): FileAutomationException => new TCPAuthException('The secret is not known here; check it.');

export const tooManyWrongSecrets = (retryAfterS: number): FileAutomationException =>
  new TCPAuthException('Too many wrong secrets came from this address; wait before the next try.', {
    context: { retry_after_s: retryAfterS },
    retryable: true,
  });

/** Why a list cannot be taken now. */
export const mustWait = ({ reason, retryAfterS, share }: Wait): FileAutomationException => {
  const options = { context: { reason, retry_after_s: retryAfterS }, retryable: true };
  switch (reason) {
    case 'draining':
      return new CancelledException('The service is stopping and takes no more lists; try another one or later.', options);
    case 'busy':
      return new RateLimitExceededException('Too many lists are under way; try again.', options);
    case 'share':
      return new RateLimitExceededException(wordsOf(share ?? 'maxInFlight'), options);
    case 'rate':
      return new RateLimitExceededException('This caller has sent too many lists in a minute; try again later.', options);
  }
};

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

import { randomUUID } from 'node:crypto';
import type { Fields } from './fields.ts';

/** The id that the client gave its request, where it can stand in a log line; else a new one. */
export const requestIdOf = ({ requestId }: Fields): string =>
  requestId !== undefined && /^[A-Za-z0-9_-]{1,64}$/.test(requestId) ? requestId : newRequestId();

/** Random for the process and counted in it: an id only tells requests apart, and drawing one for each costs as much as to judge its head. */
const newRequestId = (): string => {
  count += 1;
  return `${PROCESS}-${count}`;
};

const PROCESS = randomUUID();
let count = 0;

import { randomUUID } from 'node:crypto';

/** A UUIDv7: runs made later sort later. The random part is that of a UUIDv4, which Node draws in blocks. */
export const newRunId = (now: number): string => {
  const time = now.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
};

import { createHash } from 'node:crypto';

/**
 * The id of a scheduled run: the same job and due time always give the same one, so that nothing can run twice. A UUIDv8 that begins
 * with the due time, like the UUIDv7 of other runs, and sorts among them.
 */
export const scheduledRunId = (schedule: string, slot: number): string => {
  const digest = digestOf(schedule, slot);
  const time = slot.toString(16).padStart(12, '0');
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 0x3) | 0x8).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-8${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
};

/** The due time that the id of a scheduled run begins with. */
export const slotOf = (runId: string): number => Number.parseInt(runId.slice(0, 8) + runId.slice(9, 13), 16);

/** A share from 0 to 1 that belongs to a job and due time: after a restart a moved start is still where it was. */
export const shareOf = (schedule: string, slot: number): number => Number.parseInt(digestOf(schedule, slot).slice(-8), 16) / 0x1_0000_0000;

const digestOf = (schedule: string, slot: number): string => createHash('sha256').update(`schedule\0${schedule}\0${slot}`).digest('hex');

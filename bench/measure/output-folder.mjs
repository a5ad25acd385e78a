import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Where programs print to: in memory, so that nobody waits for a disk. */
export const outputFolder = () => (existsSync('/dev/shm') ? '/dev/shm' : tmpdir());

import { openWriteRecords } from '../../files/disk/leftovers/write-records.ts';

/** In how many places killed processes may have left temporary files. */
export const knownLeft = (): number =>
  openWriteRecords()
    .left()
    .reduce((sum, { places }) => sum + places.length, 0);

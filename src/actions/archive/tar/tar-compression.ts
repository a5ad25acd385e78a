import { TarException } from '../../../core/errors.ts';
import type { Compression } from '../../../lib/archive/compress/compression.ts';
import { COMPRESSIONS } from '../../../lib/archive/compress/compressions.ts';

/** The compression that a caller names; undefined for none. */
export const tarCompression = (given: string | null): Compression | undefined => {
  const name = (given ?? '').toLowerCase();
  if (name === '' || name === 'none') return undefined;
  const found = COMPRESSIONS.find((each) => each.name === name);
  if (found !== undefined) return found;
  throw new TarException(
    `No compression is called ${JSON.stringify(given)}; choose one of ${COMPRESSIONS.map((each) => each.name).join(', ')} or none.`,
    { context: { argument: 'compression' } },
  );
};

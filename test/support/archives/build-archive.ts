import { constants, crc32, deflateRawSync, gzipSync } from 'node:zlib';
import { buildTar, type TarPiece, tarPieces } from './build-tar.ts';
import { buildOverlappingZip, buildZip } from './build-zip.ts';
import { repeated } from './filling.ts';
import { bytesOf, type Kitchen, type Recipe, type RecipeEntry } from './recipe.ts';

/** Builds the archive that a recipe describes. `all` is the corpus, for archives inside archives. */
export const buildArchive = (recipe: Recipe, all: ReadonlyMap<string, Recipe>, root: string): Buffer => {
  const kitchen: Kitchen = {
    root,
    archive(id) {
      const other = all.get(id);
      if (other === undefined) throw new Error(`no recipe ${id}`);
      return buildArchive(other, all, root);
    },
  };
  const parts = [
    recipe.prepend === undefined ? Buffer.alloc(0) : Buffer.from(recipe.prepend.hex, 'hex'),
    body(recipe, kitchen),
    recipe.append === undefined ? Buffer.alloc(0) : appended(recipe.append, kitchen),
  ];
  const whole = Buffer.concat(parts);
  return recipe.truncate_to === undefined ? whole : whole.subarray(0, recipe.truncate_to);
};

const appended = ({ archive, compress }: NonNullable<Recipe['append']>, kitchen: Kitchen): Buffer => {
  const bytes = kitchen.archive(archive);
  return compress === 'gz' ? gzipSync(bytes) : bytes;
};

const body = (recipe: Recipe, kitchen: Kitchen): Buffer => {
  const { entries, format } = recipe;
  if ('archive' in entries) return kitchen.archive(entries.archive);
  if ('bytes' in entries) return bytesOf(entries.bytes, kitchen);
  if ('generate_overlapping' in entries) return buildOverlappingZip(entries.generate_overlapping);
  const list: readonly RecipeEntry[] = 'generate' in entries ? generated(entries.generate) : entries;
  if (format === 'zip')
    return buildZip(list, kitchen, { ...(recipe.comment !== undefined && { comment: Buffer.from(recipe.comment.hex, 'hex') }) });
  return format === 'tar' ? buildTar(list, kitchen) : gzipped(tarPieces(list, kitchen));
};

const generated = ([form, count]: readonly [string, number]): RecipeEntry[] =>
  Array.from({ length: count }, (_, at) => ({ type: 'file', name: form.replace('%d', String(at)), data: '' }));

/** Packs pieces into one gzip member without writing out the large ones. */
const gzipped = (pieces: readonly TarPiece[]): Buffer => {
  let checksum = 0;
  let size = 0;
  const packed = pieces.map((piece) => {
    if (Buffer.isBuffer(piece)) {
      checksum = crc32(piece, checksum);
      size += piece.byteLength;
      return deflateRawSync(piece, { finishFlush: constants.Z_FULL_FLUSH });
    }
    const filling = repeated(piece.character, piece.count);
    const step = Buffer.alloc(1024 * 1024, piece.character);
    for (let left = piece.count; left > 0; left -= step.byteLength)
      checksum = crc32(step.subarray(0, Math.min(left, step.byteLength)), checksum);
    size += piece.count;
    return filling.openDeflated();
  });
  const trailer = Buffer.alloc(8);
  trailer.writeUInt32LE(checksum, 0);
  trailer.writeUInt32LE(size % 2 ** 32, 4);
  return Buffer.concat([Buffer.from('1f8b0800000000000003', 'hex'), ...packed, deflateRawSync(Buffer.alloc(0)), trailer]);
};

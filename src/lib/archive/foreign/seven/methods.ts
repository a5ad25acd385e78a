/** The methods that the reader knows, by their numbers. */
const PACKERS = new Set([
  '00', // copy
  '21', // LZMA2
  '030101', // LZMA
  '030401', // PPMd
  '040108', // deflate
  '040202', // bzip2
]);
/** Prepare programs for packing; these go with every packer. */
const FILTERS = new Set([
  '04', // x86 (BCJ)
  '03030103', // x86 (BCJ)
  '0303011b', // x86 (BCJ2)
]);
/** These go only with LZMA, whose library does both. */
const LZMA_FILTERS = new Set([
  '03', // delta
  '03030205', // PowerPC
  '03030501', // ARM
  '03030701', // ARM Thumb
  '03030805', // SPARC
]);
const LZMA = new Set(['21', '030101']);

const ENCRYPTION = '06f10701';

/** Why contents packed by these methods cannot be read, as a clause; undefined where they can. */
export const whyUnreadable = (methods: readonly string[]): string | undefined => {
  if (methods.includes(ENCRYPTION)) return 'is encrypted, which is not supported for 7z';
  const hasLzma = methods.some((method) => LZMA.has(method));
  const isKnown = (method: string) => PACKERS.has(method) || FILTERS.has(method) || (hasLzma && LZMA_FILTERS.has(method));
  const unknown = methods.find((method) => !isKnown(method));
  return unknown === undefined ? undefined : `is packed by the method ${unknown}, which is not supported`;
};

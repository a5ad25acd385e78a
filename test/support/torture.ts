/**
 * How often a torture test does its worst: `usual` in `npm test`, `long` in `npm run torture`, which has the same suites go on for much
 * longer with other seeds, `brief` when `npm test` comes to the second Node, where properties get fewer runs too.
 */
export const rounds = (usual: number, long: number, brief = usual): number => {
  const { FACTOTUM_TORTURE: kind } = process.env;
  return kind === 'long' ? long : kind === 'brief' ? brief : usual;
};

/** How long a test may take: longer than any machine needs, so that one that hangs is found all the same. */
export const patience = (usualMs: number): { readonly timeout: number } => ({ timeout: rounds(usualMs, 6 * 3_600_000) });

/** Far more than fits into the memory that a test allows; in the long torture beyond what 31 bits can count. */
export const LARGE_MEGABYTES = { usual: 256, long: 2_048 } as const;
export const LARGE_BYTES = rounds(LARGE_MEGABYTES.usual, LARGE_MEGABYTES.long) * 1024 ** 2;
export const LARGE = `${LARGE_BYTES / 1024 ** 2} MB`;

/** The same in every `npm test`, another one in each long torture; printed by tests that fail so that they can be told it again. */
export const seedOf = (usual: number): number => {
  const { FACTOTUM_TORTURE, FACTOTUM_SEED } = process.env;
  if (FACTOTUM_SEED !== undefined) return Number(FACTOTUM_SEED);
  return FACTOTUM_TORTURE === 'long' ? Date.now() % 0x7fff_ffff : usual;
};

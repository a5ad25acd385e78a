/** Bytes to look for. */
export interface Needle {
  readonly bytes: Uint8Array;
  /** ASCII letters fit in either case; the letters of `bytes` are small. */
  readonly ignoreCase: boolean;
}

/** What a kernel is told of a needle. */
export interface PreparedNeedle {
  readonly bytes: Uint8Array;
  /** Bits that are set in each byte before it is compared with the needle's. */
  readonly masks: Uint8Array;
  /** The places of the two bytes that are rarest in texts, so that few places must be looked at closely. */
  readonly rarest: readonly [number, number];
}

/** Bytes of texts and programs, the most frequent ones first; all others are rarer. */
const FREQUENT = Buffer.from(' etaoinsrlcdupmhfg\n_.,b(v)y;="\'w0k:-/1xETSACIRNOLD2P*');
const CASE_BIT = 0x20;

/** Makes a needle ready for a kernel. */
export const prepareNeedle = ({ bytes, ignoreCase }: Needle): PreparedNeedle => {
  const byRarity = Array.from(bytes, (byte, place) => ({ place, rank: rankOf(byte) })).sort((a, b) => b.rank - a.rank || a.place - b.place);
  const [first = 0, second = first] = byRarity.map(({ place }) => place);
  return { bytes, masks: bytes.map((byte) => (ignoreCase && isSmallLetter(byte) ? CASE_BIT : 0)), rarest: [first, second] };
};

const rankOf = (byte: number): number => {
  const rank = FREQUENT.indexOf(byte);
  return rank < 0 ? FREQUENT.length : rank;
};

const isSmallLetter = (byte: number): boolean => byte >= 0x61 && byte <= 0x7a;

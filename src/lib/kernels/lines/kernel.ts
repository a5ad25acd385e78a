// @ts-nocheck AssemblyScript, not TypeScript: compiled and checked by `node scripts/kernels/build.mjs`.
// Counts line ends: every LF, and every CR that no LF follows. 64 bytes a turn; a CR costs a second look.

const LF: u8 = 0x0a;
const CR: u8 = 0x0d;
/** A lane of the sums holds 255 at most, and a turn adds up to 4 to it. */
const TURNS: i32 = 63;

/** Line ends from `from` up to `end`. The byte at `end` must be readable: it tells whether a CR just before it stands alone. */
export function countLineEnds(from: usize, end: usize): f64 {
  let total: f64 = 0;
  let p = from;
  const lf = i8x16.splat(LF);
  const cr = i8x16.splat(CR);
  while (p + 64 <= end) {
    let sums = i8x16.splat(0);
    for (let turn = 0; turn < TURNS && p + 64 <= end; turn += 1, p += 64) {
      const a = v128.load(p);
      const b = v128.load(p, 16);
      const c = v128.load(p, 32);
      const d = v128.load(p, 48);
      // An equal lane is -1: taking it away counts it.
      sums = i8x16.sub(sums, i8x16.add(i8x16.add(i8x16.eq(a, lf), i8x16.eq(b, lf)), i8x16.add(i8x16.eq(c, lf), i8x16.eq(d, lf))));
      const isCrA = i8x16.eq(a, cr);
      const isCrB = i8x16.eq(b, cr);
      const isCrC = i8x16.eq(c, cr);
      const isCrD = i8x16.eq(d, cr);
      if (!v128.any_true(v128.or(v128.or(isCrA, isCrB), v128.or(isCrC, isCrD)))) continue;
      const aloneA = v128.andnot(isCrA, i8x16.eq(v128.load(p, 1), lf));
      const aloneB = v128.andnot(isCrB, i8x16.eq(v128.load(p, 17), lf));
      const aloneC = v128.andnot(isCrC, i8x16.eq(v128.load(p, 33), lf));
      const aloneD = v128.andnot(isCrD, i8x16.eq(v128.load(p, 49), lf));
      sums = i8x16.sub(sums, i8x16.add(i8x16.add(aloneA, aloneB), i8x16.add(aloneC, aloneD)));
    }
    total += <f64>sumOf(sums);
  }
  for (; p < end; p += 1) {
    const byte = load<u8>(p);
    if (byte === LF || (byte === CR && load<u8>(p, 1) !== LF)) total += 1;
  }
  return total;
}

function sumOf(sums: v128): i32 {
  const quads = i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(sums));
  return i32x4.extract_lane(quads, 0) + i32x4.extract_lane(quads, 1) + i32x4.extract_lane(quads, 2) + i32x4.extract_lane(quads, 3);
}

/** How many bytes at the end of a piece of UTF-8 begin a character that goes on in the next. */
export const unfinishedBytes = (piece: Uint8Array): number => {
  for (let back = 1; back <= 3 && back <= piece.byteLength; back += 1) {
    const byte = piece[piece.byteLength - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) return back < (byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2) ? back : 0;
  }
  return 0;
};

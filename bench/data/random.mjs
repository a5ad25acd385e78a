/** A seeded source of whole numbers below a limit: the same data on every machine (mulberry32). */
export const createRandom = (seed) => {
  let state = seed >>> 0;
  return (limit) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * limit);
  };
};

/** Fills a buffer with bytes that do not compress, four at a time. */
export const fillRandom = (buffer, random) => {
  const words = new Uint32Array(buffer.buffer, buffer.byteOffset, buffer.byteLength >>> 2);
  for (let at = 0; at < words.length; at += 1) words[at] = random(4_294_967_296);
  return buffer;
};

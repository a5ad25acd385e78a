/** Many digests, packed: as texts a million of them would take more than twice the room. */
export interface DigestList {
  /** Adds a digest in hex. */
  add(hex: string): void;
  /** In lower-case hex; undefined for one that was no hex. */
  get(at: number): string | undefined;
}

const FIRST_ROOM = 1024;

export const createDigestList = (): DigestList => {
  let bytes = Buffer.alloc(FIRST_ROOM);
  /** Where each ends. */
  let ends = new Uint32Array(FIRST_ROOM);
  let count = 0;
  let end = 0;
  return {
    add(hex) {
      const length = /^(?:[0-9a-f]{2})+$/i.test(hex) ? hex.length / 2 : 0;
      if (end + length > bytes.byteLength) bytes = Buffer.concat([bytes], Math.max(bytes.byteLength * 2, end + length));
      if (count === ends.length) ends = twice(ends);
      end += bytes.write(hex, end, length, 'hex');
      ends[count] = end;
      count += 1;
    },
    get(at) {
      const start = at === 0 ? 0 : ends[at - 1];
      return ends[at] === start ? undefined : bytes.toString('hex', start, ends[at]);
    },
  };
};

const twice = (values: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> => {
  const more = new Uint32Array(values.length * 2);
  more.set(values);
  return more;
};

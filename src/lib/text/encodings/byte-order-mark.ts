import { asBuffer, type Codec, type Decoder } from './codec.ts';

const MARK = '\uFEFF';

/** The encoding with a mark at the start: written always, taken off if it is there. */
export const withMark = (codec: Codec): Codec => ({
  unmarked: () => codec,
  decoder: (onBad) => withoutMark(codec.decoder(onBad)),
  encoder: (onUnfit) => {
    const encoder = codec.encoder(onUnfit);
    let isStart = true;
    const start = (text: string): string => {
      const marked = isStart ? MARK + text : text;
      isStart = false;
      return marked;
    };
    return {
      write: (text) => encoder.write(start(text)),
      end: () => (isStart ? Buffer.concat([encoder.write(start('')), encoder.end()]) : encoder.end()),
    };
  },
});

const withoutMark = (decoder: Decoder): Decoder => {
  let isStart = true;
  const start = (text: string): string => {
    if (!isStart || text === '') return text;
    isStart = false;
    return text.startsWith(MARK) ? text.slice(1) : text;
  };
  return { write: (bytes) => start(decoder.write(bytes)), end: () => start(decoder.end()) };
};

/** An encoding in both byte orders. */
export interface BothOrders {
  readonly little: Codec;
  readonly big: Codec;
  readonly unitBytes: number;
}

/** Reads either byte order as the mark says, little-endian without one; writes little-endian with a mark. */
export const withOrderMark = ({ little, big, unitBytes }: BothOrders): Codec => ({
  unmarked: (first) => (isBigMark(asBuffer(first), unitBytes) ? big : little),
  encoder: withMark(little).encoder,
  decoder: (onBad) => {
    let first = Buffer.alloc(0);
    let chosen: Decoder | undefined;
    const choose = (): Decoder => withoutMark((isBigMark(first, unitBytes) ? big : little).decoder(onBad));
    return {
      write(bytes) {
        if (chosen !== undefined) return chosen.write(bytes);
        first = Buffer.concat([first, bytes]);
        if (first.length < unitBytes) return '';
        chosen = choose();
        return chosen.write(first);
      },
      end() {
        if (chosen !== undefined) return chosen.end();
        chosen = choose();
        return chosen.write(first) + chosen.end();
      },
    };
  },
});

const isBigMark = (first: Buffer, unitBytes: number): boolean => first.length >= unitBytes && first.readUIntBE(0, unitBytes) === 0xfeff;

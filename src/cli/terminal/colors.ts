/** Functions that colour a text, or leave it as it is. */
export type Colors = Readonly<Record<keyof typeof CODES, (text: string) => string>>;

/** Where each begins and ends. */
const CODES = { bold: [1, 22], dim: [2, 22], red: [31, 39], green: [32, 39], yellow: [33, 39], cyan: [36, 39] } as const;

const paint =
  ([begin, end]: readonly [number, number]) =>
  (text: string): string =>
    `\u001b[${begin}m${text}\u001b[${end}m`;

const plain = (text: string): string => text;

/** Colours for a terminal, or none. Written here because the usual library opens standard output to look at it, a tenth of the start. */
export const chooseColors = (isColoured: boolean): Colors => {
  const choose = (codes: readonly [number, number]) => (isColoured ? paint(codes) : plain);
  const { bold, dim, red, green, yellow, cyan } = CODES;
  return { bold: choose(bold), dim: choose(dim), red: choose(red), green: choose(green), yellow: choose(yellow), cyan: choose(cyan) };
};

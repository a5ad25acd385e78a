/** A body of the corpora: text, or parts to put together. */
export type CorpusBody = string | readonly BodyPart[];
type BodyPart = string | { readonly repeat: readonly (string | number)[] } | { readonly hex: string } | { readonly dag_chain: number };

/** The bytes that a body of the corpora stands for. */
export const bytesOf = (body: CorpusBody): Buffer => Buffer.concat([body].flat().map(bytesOfPart));

const bytesOfPart = (part: BodyPart): Buffer => {
  if (typeof part === 'string') return Buffer.from(part);
  if ('hex' in part) return Buffer.from(part.hex, 'hex');
  if ('repeat' in part) return Buffer.from(String(part.repeat[0]).repeat(Number(part.repeat[1])));
  return Buffer.from(Array.from({ length: part.dag_chain }, (_, at) => `,${JSON.stringify(link(at + 1))}`).join(''));
};

/** A node that waits for the one before it. */
const link = (at: number) => ({ id: `n${at}`, action: ['FA_t_touch'], depends_on: [`n${at - 1}`] });

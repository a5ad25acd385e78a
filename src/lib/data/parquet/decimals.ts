/** The digits of a decimal as one whole number, `12.30` at scale 2 as 1230; undefined for what does not fit. */
export const parseDecimal = (value: string | number, precision: number, scale: number): bigint | undefined => {
  const match = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(String(value));
  const fraction = (match?.[3] ?? '').replace(/0+$/, '');
  if (match === null || fraction.length > scale) return undefined;
  const digits = BigInt(`${match[2]}${fraction.padEnd(scale, '0')}`);
  if (digits >= 10n ** BigInt(precision)) return undefined;
  return match[1] === '-' ? -digits : digits;
};

/** The text of a decimal: 1230 at scale 2 as `12.30`. */
export const formatDecimal = (digits: bigint, scale: number): string => {
  if (scale === 0) return String(digits);
  const text = String(digits < 0n ? -digits : digits).padStart(scale + 1, '0');
  return `${digits < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`;
};

/** A signed whole number from its bytes, the highest first. */
export const bigintFromBytes = (bytes: Uint8Array): bigint => {
  if (bytes.byteLength === 0) return 0n;
  return BigInt.asIntN(bytes.byteLength * 8, BigInt(`0x${Buffer.from(bytes).toString('hex')}`));
};

import { BLOCK_BYTES } from './header.ts';
import { paxRecord } from './pax.ts';
import { paddingOf } from './read-tar.ts';

/** What stands in the header of an entry. */
export interface TarMemberHeader {
  /** Relative, with `/`; a directory ends with one. */
  readonly name: string;
  readonly kind: 'file' | 'dir' | 'symlink';
  readonly size: number;
  readonly mode: number;
  readonly mtimeMs: number;
  readonly linkTarget?: string;
}

const TYPES = { file: '0', symlink: '2', dir: '5' } as const;
const MAX_NAME_BYTES = 100;
const MAX_OCTAL_SIZE = 0o77777777777;

/** The header of an entry in POSIX form, preceded by an extended one where a value does not fit. Owners are left out: equal input gives equal bytes. */
export const tarHeader = (member: TarMemberHeader): Buffer => {
  const records = [
    ...(fits(member.name) ? [] : [paxRecord('path', member.name)]),
    ...(fits(member.linkTarget ?? '') ? [] : [paxRecord('linkpath', member.linkTarget ?? '')]),
    ...(member.size > MAX_OCTAL_SIZE ? [paxRecord('size', String(member.size))] : []),
    ...(fitsOctal(member.mtimeMs / 1000) ? [] : [paxRecord('mtime', seconds(member.mtimeMs))]),
  ];
  if (records.length === 0) return block(member, TYPES[member.kind]);
  const extended = Buffer.concat(records);
  const before = block(
    { name: 'PaxHeader', kind: 'file', size: extended.byteLength, mode: 0o644, mtimeMs: Math.max(0, member.mtimeMs) },
    'x',
  );
  return Buffer.concat([before, extended, Buffer.alloc(paddingOf(extended.byteLength)), block(member, TYPES[member.kind])]);
};

/** Two empty blocks end an archive. */
export const TAR_END: Uint8Array = new Uint8Array(2 * BLOCK_BYTES);

const fits = (name: string): boolean => Buffer.byteLength(name) <= MAX_NAME_BYTES && /^[\x20-\x7e]*$/.test(name);

/** Microseconds are as exact as Node knows times. */
const seconds = (ms: number): string => (ms / 1000).toFixed(6).replace(/\.?0+$/, '');

/** Whole seconds that the eleven digits of a header can hold. */
const fitsOctal = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_OCTAL_SIZE;

const block = ({ name, size, mode, mtimeMs, linkTarget = '' }: TarMemberHeader, type: string): Buffer => {
  const bytes = Buffer.alloc(BLOCK_BYTES);
  const put = (text: string, at: number, length: number) => bytes.set(Buffer.from(text).subarray(0, length), at);
  const octal = (value: number, at: number, length: number) => put(`${value.toString(8).padStart(length - 1, '0')}\0`, at, length);
  put(name, 0, MAX_NAME_BYTES);
  octal(mode & 0o7777, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(Math.min(size, MAX_OCTAL_SIZE), 124, 12);
  octal(Math.min(Math.max(0, Math.floor(mtimeMs / 1000)), MAX_OCTAL_SIZE), 136, 12);
  put(type, 156, 1);
  put(linkTarget, 157, MAX_NAME_BYTES);
  put('ustar\x0000', 257, 8);
  put(' '.repeat(8), 148, 8);
  put(
    `${bytes
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
    8,
  );
  return bytes;
};

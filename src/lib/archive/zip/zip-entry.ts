import type { ArchiveEntry } from '../entry.ts';

/** One entry of a zip file as its directory tells it. */
export interface ZipEntry extends ArchiveEntry {
  readonly packedSize: number;
  readonly rawName: Uint8Array;
  readonly flags: number;
  /** Of the content as it lies there: 99 stands for WinZip's encryption around another one. */
  readonly method: number;
  readonly checksum: number;
  readonly offset: number;
  readonly dosTime: number;
  readonly dosDate: number;
  readonly isEncrypted: boolean;
  /** What WinZip's encryption needs to know, where that was used. */
  readonly aesField: Buffer | undefined;
  /** Encrypted in PKWARE's own way, with certificates or ciphers that need them. */
  readonly isStronglyEncrypted: boolean;
}

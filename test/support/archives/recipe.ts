/** A text or bytes as the corpus writes them. */
export type Value =
  | string
  | { readonly hex: string }
  | { readonly repeat: readonly [string, number]; readonly then?: string }
  | { readonly archive: string };

/** One entry of a hand-made archive; every field of its header can be made to lie. */
export interface RecipeEntry {
  readonly type: string;
  readonly name?: Value;
  readonly data?: Value;
  /** A character and how often it stands there. */
  readonly fill?: readonly [string, number];
  readonly target?: Value;
  /** Octal digits. */
  readonly mode?: string;
  readonly mtime?: string;
  // zip
  readonly flags?: readonly ('utf8' | 'encrypted' | 'strong')[];
  readonly method?: 'deflate' | number;
  readonly declared_size?: number;
  readonly crc?: number;
  readonly local_name?: Value;
  readonly extra_unicode_path?: Value;
  /** Further extra fields of the directory, with their heads. */
  readonly extra?: Value;
  /** The same of the entry's own header. */
  readonly local_extra?: Value;
  // tar
  readonly typeflag?: string;
  readonly uid?: number;
  readonly gid?: number;
  readonly uname?: string;
  readonly major?: number;
  readonly minor?: number;
  readonly size_field?: string;
  readonly checksum?: number;
  readonly records?: Readonly<Record<string, Value>>;
  readonly value?: Value;
}

/** How an archive is put together. */
export interface Recipe {
  readonly id: string;
  readonly format: 'zip' | 'tar' | 'tar.gz';
  readonly entries:
    | readonly RecipeEntry[]
    | { readonly generate: readonly [string, number] }
    | { readonly generate_overlapping: { readonly kernel_bytes: number; readonly entries: number } }
    | { readonly bytes: Value }
    | { readonly archive: string };
  readonly comment?: { readonly hex: string };
  readonly prepend?: { readonly hex: string };
  readonly append?: { readonly archive: string; readonly compress?: 'gz' };
  readonly truncate_to?: number;
}

/** What entries may refer to. */
export interface Kitchen {
  /** The bytes of another archive of the corpus. */
  archive(id: string): Buffer;
  /** The directory that is extracted into, for absolute link targets. */
  readonly root: string;
}

/** The bytes that a value stands for. */
export const bytesOf = (value: Value | undefined, kitchen: Kitchen): Buffer => {
  if (value === undefined) return Buffer.alloc(0);
  if (typeof value === 'string') return Buffer.from(value.replaceAll('{ROOT}', kitchen.root));
  if ('hex' in value) return Buffer.from(value.hex, 'hex');
  if ('archive' in value) return kitchen.archive(value.archive);
  const [unit, times] = value.repeat;
  return Buffer.from(unit.repeat(times) + (value.then ?? ''));
};

/** An action under a shorter name: `factotum copy a b` is `factotum exec FA_copy_file a b`. */
export interface ShortForm {
  readonly name: string;
  readonly action: string;
  readonly summary: string;
  /** Arguments that may be given without their option, in this order. */
  readonly positional: readonly string[];
  /** Arguments that have another default here than in the action. */
  readonly preset?: Readonly<Record<string, unknown>>;
  /** What it is short for where a word is a location, `s3+backup://bucket/key`. */
  readonly forLocations?: Omit<ShortForm, 'name' | 'summary'>;
}

/** Whether a word is a location that is no path of this machine; `scheme://` is enough. */
const isLocation = (word: string): boolean => /^[a-z][a-z0-9]*(?:\+[\w-]+)?:\/\//i.test(word);

/** The form that these words are meant for. */
export const formFor = (form: ShortForm, words: readonly string[]): ShortForm => {
  const { name, summary, forLocations } = form;
  return forLocations !== undefined && words.some(isLocation) ? { name, summary, ...forLocations } : form;
};

/** Every short form. Adding one is a line here. */
export const SHORT_FORMS: readonly ShortForm[] = [
  {
    name: 'copy',
    action: 'FA_copy_file',
    summary: 'Copy one file, or files between locations.',
    positional: ['file_path', 'target_path'],
    forLocations: { action: 'FA_copy_between', positional: ['source', 'target'] },
  },
  { name: 'create-file', action: 'FA_create_file', summary: 'Write text to a file.', positional: ['file_path', 'content'] },
  {
    name: 'sync',
    action: 'FA_sync_dir',
    summary: 'Make a directory tree like another, here or at a location.',
    positional: ['src', 'dst'],
    forLocations: { action: 'FA_sync_between', positional: ['source', 'target'] },
  },
  { name: 'zip', action: 'FA_zip_dir', summary: 'Pack a directory.', positional: ['dir_we_want_to_zip', 'zip_name'] },
  { name: 'unzip', action: 'FA_unzip_all', summary: 'Unpack a zip archive.', positional: ['zip_file_path', 'extract_path'] },
  {
    name: 'find',
    action: 'FA_fast_find',
    summary: 'Find files by name.',
    positional: ['pattern', 'root'],
    preset: { root: '.', on_unreadable: 'skip' },
  },
  {
    name: 'grep',
    action: 'FA_grep',
    summary: 'Find lines in files.',
    positional: ['pattern', 'root'],
    preset: { root: '.', on_unreadable: 'skip' },
  },
  { name: 'checksum', action: 'FA_file_checksum', summary: 'Print the digest of a file.', positional: ['path', 'algorithm'] },
  { name: 'download', action: 'FA_download_file', summary: 'Download a URL to a file.', positional: ['file_url', 'file_name'] },
  { name: 'encrypt', action: 'FA_encrypt_file', summary: 'Encrypt a file.', positional: ['source', 'target', 'key'] },
  { name: 'decrypt', action: 'FA_decrypt_file', summary: 'Decrypt a file.', positional: ['source', 'target', 'key'] },
];

import type { Task } from './task.ts';

/** Every task by name, with the import of its code. Adding one is a line here and the file it names. */
export const tasks = {
  deflate_block: async () => (await import('../archive/deflate/deflate-block.ts')).deflateBlock,
  gather_files: async () => (await import('../archive/gather/gather-files.ts')).gatherFiles,
  unpack_bz2_block: async () => (await import('../archive/compress/bz2/unpack-block.ts')).unpackBlock,
  unpack_stream: async () => (await import('../archive/compress/unpack-stream.ts')).unpackStream,
  read_entries: async () => (await import('../archive/foreign/libarchive/read-entries.ts')).readEntries,
  pack_zst_frame: async () => (await import('../archive/compress/zst/pack-frame.ts')).packFrame,
  cipher_chunks: async () => (await import('../crypto/cipher-task.ts')).cipherChunks,
  find_names: async () => (await import('../search/find/find-names.ts')).findNames,
  size_files: async () => (await import('../hash/files/size-part.ts')).sizeFiles,
  manifest_lines: async () => (await import('../manifest/manifest-lines.ts')).manifestLines,
  hash_files: async () => (await import('../hash/files/hash-batch.ts')).hashFiles,
  replace_matches: async () => (await import('../regex/replace-task.ts')).replaceTask,
  grep_lines: async () => (await import('../search/grep/grep-lines.ts')).grepLines,
  compare_trees: async () => (await import('../tree/compare/compare-task.ts')).compareTask,
  copy_tree: async () => (await import('../tree/copy/copy-task.ts')).copyTask,
  remove_tree: async () => (await import('../tree/remove/remove-task.ts')).removeTask,
  ask_document: async () => (await import('../data/document-task.ts')).askDocument,
  diff_texts: async () => (await import('../text/diff/diff-task.ts')).diffTexts,
  render_template: async () => (await import('../template/render-task.ts')).renderTemplate,
  read_parquet: async () => (await import('../data/parquet/read/read-task.ts')).readParquetRows,
};

type Tasks = typeof tasks;
type TaskOf<N extends TaskName> = Awaited<ReturnType<Tasks[N]>>;

export type TaskName = keyof Tasks;
/** What the task takes. */
export type TaskInput<N extends TaskName> = TaskOf<N> extends Task<infer I, infer _O> ? I : never;
/** What the task gives. */
export type TaskValue<N extends TaskName> = TaskOf<N> extends Task<infer _I, infer O> ? O : never;

/** Loads a task and runs it on this thread. */
export const runHere = async (
  name: TaskName,
  input: unknown,
): Promise<{ readonly value: unknown; readonly transfer?: readonly ArrayBuffer[] }> => {
  // The pool types name and input together; a message between threads cannot.
  const task = (await tasks[name]()) as Task<unknown, unknown>;
  return task(input);
};

let umask: number | undefined;

/** The mode that the process gives to new files. */
export function newFileMode(): number {
  // Node reads the mask by setting it twice, which other threads can see: done once, it cannot disturb later files.
  umask ??= process.umask();
  return 0o666 & ~umask;
}

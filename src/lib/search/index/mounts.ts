/** A place where a file system begins. */
export interface Mount {
  readonly path: string;
  readonly fileSystem: string;
  /** Only a part of the file system is shown there. */
  readonly isPart: boolean;
}

/** Reads /proc/self/mountinfo, proc_pid_mountinfo(5). */
export const readMounts = (text: string): Mount[] =>
  text.split('\n').flatMap((line) => {
    const [before = '', behind] = line.split(' - ');
    const [, , , root, path] = before.split(' ');
    const [fileSystem] = behind?.split(' ') ?? [];
    return path === undefined || fileSystem === undefined ? [] : [{ path: unescaped(path), fileSystem, isPart: root !== '/' }];
  });

const unescaped = (path: string): string =>
  path.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));

/** The mount that a path lies on: of equal ones the last hides the others. */
export const mountOf = (mounts: readonly Mount[], path: string): Mount | undefined =>
  mounts.reduce<Mount | undefined>(
    (best, mount) => (isAtOrBelow(path, mount.path) && mount.path.length >= (best?.path.length ?? 0) ? mount : best),
    undefined,
  );

/** Whether a path is another one or lies below it. */
export const isAtOrBelow = (path: string, above: string): boolean =>
  path === above || path.startsWith(above.endsWith('/') ? above : `${above}/`);

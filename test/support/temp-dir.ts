import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A directory of one test: `using dir = tempDir({ 'a.txt': 'hi' });`. */
export interface TempDir extends Disposable {
  /** Absolute, without links on the way. */
  readonly path: string;
  at(name: string): string;
  /** Writes a file, making the directories on the way. */
  write(name: string, content: string | Uint8Array): void;
  /** The text of a file; undefined where there is none. */
  read(name: string): string | undefined;
}

/** Directories that a test has closed stop everybody but the superuser. */
const removeAll = (path: string): void => {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    execFileSync('chmod', ['-R', 'u+rwx', path]);
    rmSync(path, { recursive: true, force: true });
  }
};

/** Makes a fresh directory with these files in it; it is gone after the block that holds it. */
export const tempDir = (files: Readonly<Record<string, string | Uint8Array>> = {}): TempDir => {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'factotum-test-')));
  const at = (name: string) => join(path, name);
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(dirname(at(name)), { recursive: true });
    writeFileSync(at(name), content);
  };
  for (const [name, content] of Object.entries(files)) write(name, content);
  return {
    path,
    at,
    write,
    read(name) {
      try {
        return readFileSync(at(name), 'utf8');
      } catch (fault) {
        if (fault instanceof Error && 'code' in fault && fault.code === 'ENOENT') return undefined;
        throw fault;
      }
    },
    [Symbol.dispose]: () => removeAll(path),
  };
};

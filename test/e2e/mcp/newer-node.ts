import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const NEEDED_MAJOR = 22;

/** A Node that is new enough for the suite: this one, the one that is named, or the one that `npm test` has brought. */
export const findNewerNode = (): string | undefined => {
  if (Number(process.versions.node.split('.')[0]) >= NEEDED_MAJOR) return process.execPath;
  const name = `node-${process.platform}-${process.arch}`;
  const brought = readdirSync('node_modules')
    .filter((folder) => folder.startsWith('.factotum-test-'))
    .map((folder) => join('node_modules', folder, 'lts', 'node_modules', name, 'bin', 'node'));
  return [process.env.FACTOTUM_TEST_NEWER_NODE ?? '', ...brought].find((path) => path !== '' && existsSync(path));
};

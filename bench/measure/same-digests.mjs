// node same-digests.mjs MANIFEST PRINTED ROOT: fails unless a manifest holds the digests that a program has printed, and no others.
import { readFileSync } from 'node:fs';
import { relative } from 'node:path';

const [manifest, printed, root] = process.argv.slice(2);
const { files } = JSON.parse(readFileSync(manifest, 'utf8'));
const lines = readFileSync(printed, 'utf8').trimEnd().split('\n');
for (const line of lines) {
  const [, digest, path] = /^([0-9a-f]{64}) [ *](.*)$/.exec(line) ?? [];
  if (files[relative(root, path ?? '')]?.checksum !== digest) throw new Error(`the answers differ: ${line}`);
}
if (lines.length !== Object.keys(files).length) throw new Error(`${lines.length} digests and ${Object.keys(files).length} files`);

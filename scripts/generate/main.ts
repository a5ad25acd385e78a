// Writes everything that is derived from the definitions; `--check` only tells what is stale. See docs in CONTRIBUTING.md.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { catalogueSource } from './catalogue.ts';
import { loadFamilies } from './families.ts';

const families = await loadFamilies();
const outputs = new Map<string, string>([['src/app/catalogue.generated.ts', catalogueSource(families)]]);

const stale = [...outputs].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
if (process.argv.includes('--check')) {
  for (const [path] of stale) console.error(`stale: ${path}; run npm run generate`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const [path, text] of stale) writeFileSync(path, text);
  console.log(`${stale.length} of ${outputs.size} generated files written`);
}

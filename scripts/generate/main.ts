// Writes everything that is derived from the definitions; `--check` only tells what is stale. See CONTRIBUTING.md.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { actionMapSource } from './action-map.ts';
import { catalogueSource } from './catalogue.ts';
import { configTypeSource } from './config/config-type.ts';
import { configDerivedSource } from './config/derived.ts';
import { descriptionsOf, readyOf } from './description.ts';
import { loadFamilies } from './families.ts';
import { idempotentSource } from './idempotent.ts';
import { listingSource } from './listing.ts';
import { actionIndex } from './pages/action-index.ts';
import { familyPage } from './pages/action-page.ts';
import { configurationPage } from './pages/configuration-page.ts';
import { errorsPage } from './pages/errors-page.ts';
import { manPage } from './pages/man-page.ts';
import { trialsPage } from './pages/trials-page.ts';
import { configSchemaSource } from './schema/config-schema.ts';
import { listSchemaSource } from './schema/list-schema.ts';
import { versionSource } from './version.ts';

/** Nothing else lives here, so that the page of a family that is gone goes too. */
const PAGES = 'docs/reference/actions';

const families = await loadFamilies();
const descriptions = families.flatMap(descriptionsOf);
const outputs = new Map<string, string>([
  ['src/app/catalogue.generated.ts', catalogueSource(families)],
  ['src/app/listing.generated.json', listingSource(families, descriptions)],
  ['src/app/actions.generated.ts', actionMapSource(descriptions)],
  ['src/app/version.generated.ts', versionSource(readFileSync('package.json', 'utf8'))],
  ['src/client/idempotent.generated.ts', idempotentSource(descriptions)],
  ['schema/action-list.schema.json', listSchemaSource(descriptions)],
  ['schema/factotum-config.schema.json', configSchemaSource()],
  ['src/services/config/config.generated.ts', configTypeSource()],
  ['src/services/config/derived.generated.ts', configDerivedSource()],
  ['docs/reference/configuration.md', configurationPage()],
  ['docs/reference/errors.md', errorsPage(readFileSync('src/core/errors.ts', 'utf8'))],
  ['docs/explanation/what-we-tried.md', trialsPage(families.flatMap(readyOf))],
  ['docs/man/factotum.1', manPage(readFileSync('package.json', 'utf8'))],
  [`${PAGES}/README.md`, actionIndex(families)],
  ...families.map((family): [string, string] => [`${PAGES}/${family.name}.md`, familyPage(family)]),
]);

const stale = [...outputs].filter(([path, text]) => !existsSync(path) || readFileSync(path, 'utf8') !== text);
const surplus = (existsSync(PAGES) ? readdirSync(PAGES) : []).map((file) => join(PAGES, file)).filter((path) => !outputs.has(path));

if (process.argv.includes('--check')) {
  for (const path of [...stale.map(([path]) => path), ...surplus]) console.error(`stale: ${path}; run npm run generate`);
  process.exitCode = stale.length + surplus.length === 0 ? 0 : 1;
} else {
  for (const [path, text] of stale) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
  for (const path of surplus) rmSync(path);
  console.log(`${stale.length} of ${outputs.size} generated files written${surplus.length === 0 ? '' : `, ${surplus.length} removed`}`);
}

// Lays down what a new action needs: npm run new -- action <family>/<name>
import { newAction } from './new/action.mjs';

const USAGE = 'usage: npm run new -- action <family>/<name>, both in kebab-case: npm run new -- action files/greet-file';

const [kind, place = ''] = process.argv.slice(2);
const [, family, name] = /^([a-z][a-z0-9]*(?:-[a-z0-9]+)*)\/([a-z][a-z0-9]*(?:-[a-z0-9]+)*)$/.exec(place) ?? [];
if (kind !== 'action' || name === undefined) {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  try {
    console.log(newAction(family, name));
  } catch (fault) {
    console.error(fault.message);
    process.exitCode = 1;
  }
}

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Run once around all tests: what they start keeps its state and looks for its configuration here, never in the home of the user. */
export const setup = (): (() => void) => {
  const home = mkdtempSync(join(tmpdir(), 'factotum-tests-home-'));
  process.env.XDG_STATE_HOME = join(home, 'state');
  process.env.XDG_CONFIG_HOME = join(home, 'config');
  return () => rmSync(home, { recursive: true, force: true });
};

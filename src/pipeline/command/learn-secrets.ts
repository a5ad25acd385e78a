import type { Masker } from '../../access/mask.ts';
import type { Ready } from '../../core/ready.ts';
import type { Registry } from '../../core/registry.ts';
import { givenAt, visitCommands } from '../list/tree.ts';
import type { Command, House, Written } from '../run.ts';

/** What is given as a password or key is masked from here on, before anything can quote it. */
export const learnSecrets = ({ secrets, keys }: Ready, given: Written, masker: Masker): void => {
  for (const key of secrets) {
    const written = givenAt(given, { key, at: keys.indexOf(key) });
    // A reference names the secret; what it stands for is learnt where it is read.
    const texts = typeof written === 'object' && written !== null ? Object.values(written) : [written];
    for (const text of texts) if (typeof text === 'string' && !text.includes('${')) masker.learn(text);
  }
};

/** The same for all commands at every depth, before somebody writes the list down. */
export const learnAllSecrets = (commands: readonly Command[], { registry, masker }: Pick<House, 'registry' | 'masker'>): void => {
  if (!mayHoldSecrets(commands, registry)) return;
  visitCommands(commands, registry, ({ name, given }) => {
    const ready = name === null ? undefined : registry.resolve(name);
    if (ready !== undefined) learnSecrets(ready, given, masker);
  });
};

/** Most commands take no secret and run no others; in a long list most are of the same action. */
const mayHoldSecrets = (commands: readonly Command[], registry: Registry): boolean => {
  let last: string | null = null;
  for (const { name } of commands) {
    if (name === last || name === null) continue;
    last = name;
    const ready = registry.resolve(name);
    if (ready !== undefined && (ready.secrets.length > 0 || ready.about.steps.length > 0)) return true;
  }
  return false;
};

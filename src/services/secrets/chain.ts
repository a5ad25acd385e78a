import { SecretNotFoundException } from '../../core/errors.ts';
import { fillReferences, referencesIn, type SecretReference } from '../../core/secret-reference.ts';
import type { Found, SecretProvider } from './provider.ts';

/** Every place where secrets are kept. */
export interface SecretChain {
  /** What a reference stands for: the first provider of its kind that has it. */
  find(reference: SecretReference): Promise<Found>;
  /** The text with its references replaced; throws `SecretNotFoundException` naming the reference and the key. */
  resolve(text: string, key: string): Promise<string>;
}

/** Chains providers; those of one kind are asked in order. `learn` is told of every value that is handed out, so that it can be masked. */
export const createSecretChain = (providers: readonly SecretProvider[], learn: (secret: string) => void = () => {}): SecretChain => {
  const find = async ({ kind, name }: SecretReference): Promise<Found> => {
    const reasons: string[] = [];
    for (const provider of providers.filter((each) => each.kind === kind)) {
      const found = await provider.find(name);
      if ('value' in found) return found;
      reasons.push(found.missing);
    }
    return { missing: reasons.join('; ') || `nothing keeps secrets of the kind ${kind}` };
  };

  const resolve = async (text: string, key: string): Promise<string> => {
    const values = new Map<string, string>();
    for (const reference of referencesIn(text)) {
      const found = await find(reference);
      if ('missing' in found) throw notFound(reference, key, found.missing);
      learn(found.value);
      values.set(reference.written, found.value);
    }
    return fillReferences(text, (written) => values.get(written) ?? '');
  };

  return { find, resolve };
};

const notFound = ({ written }: SecretReference, key: string, reason: string): SecretNotFoundException =>
  new SecretNotFoundException(`The reference ${written} of ${key} cannot be resolved: ${reason}.`, {
    context: { reference: written, key },
  });

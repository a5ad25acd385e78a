import type { SecretProvider } from './provider.ts';

/** Secrets in environment variables: `${env:NAME}`. */
export const createEnvProvider = (env: Readonly<Record<string, string | undefined>>): SecretProvider => ({
  kind: 'env',
  async find(name) {
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (value === undefined) return { missing: `the variable ${name} is not set; set it` };
    return value === '' ? { missing: `the variable ${name} is empty; give it a value` } : { value };
  },
});

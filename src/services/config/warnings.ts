import { statSync } from 'node:fs';
import { didYouMean } from '../../lib/text/nearest.ts';
import { VARIABLES } from './derived.generated.ts';
import type { Settings } from './load.ts';
import { configReferences, writtenSecrets } from './references.ts';
import { sinkWarnings } from './sink-warnings.ts';

/** Variables of the house that set no key. */
const OTHER_VARIABLES = ['FACTOTUM_CONFIG', 'FACTOTUM_DEBUG'];
/** Sections that can be written already and that nothing in this version uses. */
const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  dashboard: '[dashboard] changes nothing: this version has no dashboard.',
};
const SHORTEST_SECRET = 16;
const READABLE_BY_OTHERS = 0o004;

/** What works but should be mended; never says a secret. */
export const configWarnings = (
  { path, text, written, config }: Settings,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] => {
  const secrets = uniqueValues(writtenSecrets(written));
  return [
    ...unreadVariables(env, new Set(configReferences(written).map(({ name }) => name))),
    ...secrets.flatMap(({ key, value }) =>
      /^tokens\b.*\bsecret$|\bshared_secret$/.test(key) && value.length < SHORTEST_SECRET
        ? [`${key} has fewer than ${SHORTEST_SECRET} characters; take a longer one.`]
        : [],
    ),
    ...sinkWarnings(config.notify.sinks),
    ...Object.keys(written).flatMap((section) => WITHOUT_EFFECT[section] ?? []),
    // One that a flag or a variable brought does not stand there.
    ...readableSecrets(
      path,
      secrets.filter(({ value }) => text?.includes(value)).map(({ key }) => key),
    ),
  ];
};

const readableSecrets = (path: string | undefined, [key, ...others]: readonly string[]): readonly string[] => {
  if (path === undefined || key === undefined || !isReadableByOthers(path)) return [];
  const keys = others.length === 0 ? key : `${key} and ${others.length} more`;
  return [
    `${path} holds secrets (${keys}) and every user of this machine can read it; run chmod o-r on it, or use \${env:NAME} or \${file:NAME}.`,
  ];
};

/** One secret may have been given for several doors. */
const uniqueValues = <T extends { readonly value: string }>(secrets: readonly T[]): readonly T[] =>
  secrets.filter(({ value }, at) => secrets.findIndex((other) => other.value === value) === at);

/** Variables that look like ours and set nothing, unless a reference reads them. */
const unreadVariables = (env: Readonly<Record<string, string | undefined>>, referred: ReadonlySet<string>): string[] => {
  const known = [...VARIABLES.map(({ name }) => name), ...OTHER_VARIABLES];
  return Object.keys(env)
    .filter((name) => name.startsWith('FACTOTUM_') && !known.includes(name) && !referred.has(name))
    .map((name) => `Nothing reads the variable ${name}${didYouMean(name, known) || '.'}`);
};

const isReadableByOthers = (path: string): boolean => process.platform !== 'win32' && (statSync(path).mode & READABLE_BY_OTHERS) !== 0;

import { readFileSync } from 'node:fs';
import { buildArchive } from './build-archive.ts';
import type { Recipe } from './recipe.ts';

/** A hostile or odd archive, and what becomes of it. */
export interface EvilCase extends Recipe {
  readonly why: string;
  readonly options?: { readonly links?: string; readonly on_conflict?: string };
  readonly limits?: Readonly<Record<string, number>>;
  /** What stands in the target before; `$O` is the outside directory. */
  readonly pre?: readonly ({ readonly file: string; readonly text: string } | { readonly link: string; readonly to: string })[];
  readonly expect: Expected & {
    readonly on_win32?: Expected;
    readonly modes?: Readonly<Record<string, string>>;
    readonly owner?: 'caller';
  };
}

interface Expected {
  readonly ok: boolean;
  readonly error?: string;
  readonly written: readonly string[];
}

const corpus: { readonly cases: readonly EvilCase[] } = JSON.parse(
  readFileSync(new URL('../../fixtures/corpus/archives-evil.json', import.meta.url), 'utf8'),
);

/** Every case of the corpus. */
export const EVIL_CASES = corpus.cases;

const byId = new Map(EVIL_CASES.map((each) => [each.id, each]));

/** The bytes of a case; `root` is the directory that it is extracted into. */
export const evilArchive = (id: string, root: string): Buffer => {
  const found = byId.get(id);
  if (found === undefined) throw new Error(`no case ${id}`);
  return buildArchive(found, byId, root);
};

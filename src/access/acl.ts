import { EFFECT_CLASSES } from '../core/effects.ts';
import { ActionNotPermittedException, ArgumentException } from '../core/errors.ts';
import type { About } from '../core/ready.ts';
import { demandKnownKeys, type KnownKeys } from '../lib/text/known-keys.ts';
import { didYouMean } from '../lib/text/nearest.ts';

const EFFECTS: readonly string[] = [...EFFECT_CLASSES, 'none'];

/** What an access list says: patterns over names (`FA_json_*`), groups (`group:search`) and effects (`effect:reads`). */
export interface AclRules {
  /** Null or left out: everything; an empty list: nothing. */
  readonly allow?: readonly string[] | null;
  readonly deny?: readonly string[];
  /** The caller is not the owner: reserved actions must be named in `allow`, each by its own name. */
  readonly isLimited?: boolean;
}

const RULES: KnownKeys<AclRules> = { allow: true, deny: true, isLimited: true };

/** Decides which actions a caller may run. Deny wins. */
export class ActionACL {
  readonly #allow: Rule | undefined;
  readonly #deny: Rule;
  readonly #isLimited: boolean;

  constructor(rules: AclRules = {}) {
    demandKnownKeys(rules, RULES, 'ActionACL'); // a misspelt list would allow everything
    const { allow, deny = [], isLimited = false } = rules;
    this.#allow = allow === undefined || allow === null ? undefined : compile(allow);
    this.#deny = compile(deny);
    this.#isLimited = isLimited;
  }

  /** The older spelling: names allowed (null: all) and names denied. */
  static build(allowed?: readonly string[] | null, denied: readonly string[] = []): ActionACL {
    return new ActionACL({ allow: allowed ?? null, deny: denied });
  }

  /** `about` is undefined for unknown names, which an allow list refuses like any other it does not name. */
  permits(name: string, about: About | undefined): boolean {
    if (denies(this.#deny, name, about)) return false;
    if (this.#isLimited && about?.reserved === true) return this.#allow !== undefined && namesExactly(this.#allow, about);
    return this.#allow === undefined || allows(this.#allow, name, about);
  }

  /** Throws unless the action is permitted; the message does not tell whether it exists. */
  demand(name: string, about: About | undefined): void {
    if (!this.permits(name, about)) {
      throw new ActionNotPermittedException(`This caller may not run ${name}; ask the owner to allow it.`, { context: { action: name } });
    }
  }
}

interface Rule {
  readonly exact: ReadonlySet<string>;
  readonly names: (name: string) => boolean;
  readonly groups: ReadonlySet<string>;
  readonly effects: ReadonlySet<string>;
}

const compile = (patterns: readonly string[]): Rule => {
  const part = (prefix: string) =>
    new Set(patterns.flatMap((pattern) => (pattern.startsWith(prefix) ? [pattern.slice(prefix.length)] : [])));
  for (const effect of part('effect:')) demandEffect(effect);
  const named = patterns.filter((pattern) => !pattern.startsWith('group:') && !pattern.startsWith('effect:'));
  const exact = new Set(named.filter((pattern) => !pattern.includes('*')));
  const wild = named.filter((pattern) => pattern.includes('*')).map((pattern) => pattern.split('*'));
  return {
    exact,
    names: (name) => exact.has(name) || wild.some((pieces) => matches(pieces, name)),
    groups: part('group:'),
    effects: part('effect:'),
  };
};

/** A rule about an effect that does not exist would never apply, and a mistyped deny would let everything through. */
const demandEffect = (effect: string) => {
  if (!EFFECTS.includes(effect)) {
    throw new ArgumentException(
      `No effect is called ${JSON.stringify(effect)}${didYouMean(effect, EFFECTS) || `; there are ${EFFECTS.join(', ')}.`}`,
      {
        context: { rule: `effect:${effect}` },
      },
    );
  }
};

/** Matches text against the pieces between stars, left to right: linear, whatever the pattern. */
const matches = (pieces: readonly string[], text: string): boolean => {
  const first = pieces[0] ?? '';
  const last = pieces.at(-1) ?? '';
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last)) return false;
  let from = first.length;
  for (const piece of pieces.slice(1, -1)) {
    const at = text.indexOf(piece, from);
    if (at < 0) return false;
    from = at + piece.length;
  }
  return from <= text.length - last.length;
};

/** All names of an action count, whichever was asked for. */
const known = (rule: Rule, name: string, about: About | undefined): boolean =>
  rule.names(name) || (about !== undefined && (rule.names(about.name) || about.aliases.some(rule.names) || rule.groups.has(about.group)));

/** Patterns, groups and effects are written without thinking of what concerns everybody. */
const namesExactly = ({ exact }: Rule, { name, aliases }: About): boolean => [name, ...aliases].some((each) => exact.has(each));

/** An effect rule allows an action when every effect it has is named; nested steps are judged on their own. */
const allows = (rule: Rule, name: string, about: About | undefined): boolean =>
  known(rule, name, about) ||
  (about !== undefined && rule.effects.size > 0 && effectNames(about).every((effect) => effect === 'steps' || rule.effects.has(effect)));

const denies = (rule: Rule, name: string, about: About | undefined): boolean =>
  known(rule, name, about) || (about !== undefined && effectNames(about).some((effect) => rule.effects.has(effect)));

/** An action without any effect is named by `effect:none`. */
const effectNames = (about: About): readonly string[] => (about.effects.length === 0 ? ['none'] : about.effects);

import { type AclRules, ActionACL } from '../../access/acl.ts';
import { type Caller, OWNER } from '../../access/caller.ts';
import type { Credential } from '../../access/gate.ts';
import { type Guarded, guardFiles } from '../../access/guard-files.ts';
import { createPolicy, type PolicyRules } from '../../access/policy.ts';
import { EFFECT_CLASSES } from '../../core/effects.ts';
import { CancelledException, ConfigException } from '../../core/errors.ts';
import { openStopper } from '../../lib/async/stop-signal.ts';
import { narrowCaller } from '../../servers/mcp/rights/narrow-caller.ts';
import { callerWith, type McpRights } from '../../servers/mcp/rights/rights.ts';

/** A named token with what its holder may do. */
export interface Token extends PolicyRules {
  readonly name: string;
  readonly secret: string;
  readonly allow?: readonly string[] | undefined;
  readonly deny?: readonly string[] | undefined;
  /** Effect classes the holder is held to: `['reads']`. */
  readonly effects?: readonly string[] | undefined;
}

/** Who may come through the network doors. */
export interface AccessOptions {
  readonly sharedSecret?: string | undefined;
  readonly tokens?: readonly Token[];
  /** Which actions the holder of the shared secret, or everybody where there is none, may run. */
  readonly acl?: ActionACL | undefined;
  /** Limits of the owner too. */
  readonly ownerPolicy?: PolicyRules | undefined;
  /** What of the house may lie among the files of callers with limits. */
  readonly guarded?: Guarded | undefined;
}

/** The owner as seen from a network door. */
export const remoteOwner = ({ acl, ownerPolicy, guarded }: AccessOptions): Caller => ({
  ...OWNER,
  remote: true,
  ...(acl && { acl }),
  ...(ownerPolicy && { policy: guardFiles(createPolicy(ownerPolicy), guarded) }),
});

/** Every secret and whom it stands for. */
export const credentialsOf = (options: AccessOptions): readonly Credential[] => [
  ...(options.sharedSecret === undefined ? [] : [{ secret: options.sharedSecret, caller: remoteOwner(options) }]),
  ...(options.tokens ?? []).map((token) => credentialOf(token, options.guarded)),
];

const credentialOf = (token: Token, guarded: Guarded | undefined): Credential => {
  const { signal, stop } = openStopper();
  return {
    secret: token.secret,
    caller: { ...callerOf(token, guarded), revoked: signal },
    rights: { text: JSON.stringify([token, guarded]), revoke: () => stop(revoked(token)) },
  };
};

const revoked = ({ name }: Token) =>
  new CancelledException('The rights of this caller were changed or taken away meanwhile, so the rest did not run.', {
    context: { caller: name },
  });

/** Everybody whose stored work may be run, but the owner without limits. */
export const callersOf = ({ mcp, ...options }: AccessOptions & { readonly mcp?: McpRights | false }): readonly Caller[] => {
  const owner = remoteOwner(options);
  return [
    ...credentialsOf(options).map(({ caller }) => caller),
    ...(isLimited(owner) ? [owner] : []),
    ...(mcp === undefined || mcp === false ? [] : [assistantOf(mcp, owner)]),
  ];
};

/** An assistant, as whom runs what it has stored: it never may what the owner may not. */
export const assistantOf = (rights: McpRights, owner: Caller): Caller => {
  const own = callerWith(rights);
  return isLimited(owner) ? narrowCaller(own, owner) : own;
};

const isLimited = ({ acl, policy }: Caller): boolean => acl !== undefined || policy !== undefined;

/** A token without roots reaches no file, one without `allow` runs every action that its effects permit. */
const callerOf = ({ name, secret: _, allow, deny, effects, ...rules }: Token, guarded: Guarded | undefined): Caller => ({
  name: demandFreeName(name),
  remote: true,
  acl: new ActionACL({ ...aclRulesOf({ allow, deny, effects }), isLimited: true }),
  policy: guardFiles(createPolicy(rules), guarded),
});

/** An access list as the configuration writes it. */
export const aclRulesOf = ({ allow, deny = [], effects }: Pick<Token, 'allow' | 'deny' | 'effects'>): AclRules => ({
  allow: allow ?? (effects === undefined ? null : ['effect:none', ...effects.map((effect) => `effect:${effect}`)]),
  deny: allow === undefined || effects === undefined ? deny : [...deny, ...otherEffects(effects)],
});

/** What is stored and shown goes by the caller's name, so nobody may have one of ours. */
const OWN_NAMES = [OWNER.name, 'mcp', 'anonymous'];

const demandFreeName = (name: string): string => {
  if (!OWN_NAMES.includes(name)) return name;
  throw new ConfigException(`No token may be called ${name}, which stands for somebody else here; choose another name.`, {
    context: { name },
  });
};

/** With an allow list beside them, effects can only take away. */
const otherEffects = (effects: readonly string[]): string[] =>
  EFFECT_CLASSES.filter((effect) => effect !== 'steps' && !effects.includes(effect)).map((effect) => `effect:${effect}`);

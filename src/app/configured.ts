import { ActionACL } from '../access/acl.ts';
import { type Caller, OWNER } from '../access/caller.ts';
import type { PolicyRules } from '../access/policy.ts';
import { limitsOfKeys } from '../core/caller-limits.ts';
import { ConfigException } from '../core/errors.ts';
import { type AccessOptions, aclRulesOf, remoteOwner, type Token } from './callers/callers.ts';
import { guardedOf } from './callers/guarded.ts';
import { instanceSettingsOf } from './config/instance-settings.ts';
import { limitsOf } from './config/limits-of.ts';
import type { Config, LoadedConfig } from './config/load-config.ts';
import { createInstance } from './create.ts';
import type { Instance, InstanceOptions } from './instance/instance.ts';
import { mcpOptionsOf } from './mcp/options.ts';
import { DRAIN_MS } from './serve/drain-time.ts';
import type { Place, ServiceOptions } from './serve/serve.ts';

/** An instance as the configuration wants it. */
export const createConfigured = (loaded: LoadedConfig, options: InstanceOptions = {}): Instance =>
  createInstance({ ...options, log: { ...loaded.config.log, ...options.log }, ...instanceSettingsOf(loaded) });

/** The doors that the configuration wants open, with every reference to a secret resolved. */
export const serviceOptionsOf = async (loaded: LoadedConfig): Promise<ServiceOptions> => {
  const { config } = loaded;
  const [server, http, tcp, metrics, tokens] = await Promise.all([
    loaded.resolveSection('server'),
    loaded.resolveSection('http'),
    loaded.resolveSection('tcp'),
    loaded.resolveSection('metrics'),
    loaded.resolveSection('tokens'),
  ]);
  for (const { name, secret } of tokens) demandLength(`tokens.${name}.secret`, secret);
  demandDistinct(tokens, [server, http, tcp, metrics]);
  const { policy } = config;
  return {
    http: http.enabled && {
      ...placeOf('http', http),
      hosts: http.hosts,
      corsOrigins: http.cors_origins,
      ...(http.tls_cert !== undefined && http.tls_key !== undefined && { tls: { cert: http.tls_cert, key: http.tls_key } }),
    },
    tcp: tcp.enabled && placeOf('tcp', tcp),
    metrics: metrics.enabled && (metrics.own_port || !http.enabled ? { ...placeOf('metrics', metrics), hosts: metrics.hosts } : true),
    mcp: config.mcp.enabled && mcpOptionsOf(loaded, { cwd: process.cwd() }),
    sharedSecret: server.shared_secret,
    tokens: tokens.map((token) => tokenOf(token, policy)),
    ...ownerLimitsOf(loaded),
    limits: limitsOf(config.limits),
    drainMs: Math.min(server.drain_s * 1000, DRAIN_MS),
    demandSecret: !server.insecure_no_auth,
  };
};

/** The owner at the keyboard, held by the same limits as at a door. */
export const localOwnerOf = (loaded: LoadedConfig): Caller =>
  loaded.config.policy.owner ? { ...remoteOwner(ownerLimitsOf(loaded)), remote: OWNER.remote } : OWNER;

/** What `[policy]` says of the owner: nothing, unless it says so. */
const ownerLimitsOf = (loaded: LoadedConfig): Pick<AccessOptions, 'ownerPolicy' | 'acl' | 'guarded'> => {
  const { policy } = loaded.config;
  return {
    guarded: guardedOf(loaded, { cwd: process.cwd() }),
    ...(policy.owner && { ownerPolicy: rulesOf(policy), acl: new ActionACL(aclRulesOf(policy)) }),
  };
};

/** Shorter ones can be guessed by somebody with time. */
const SHORTEST_SECRET = 16;

type DoorSection = Pick<Config['tcp'], 'host' | 'port' | 'shared_secret' | 'allow_non_loopback'>;

const placeOf = (section: string, { host, port, shared_secret, allow_non_loopback }: DoorSection): Place => {
  if (shared_secret !== undefined && allow_non_loopback === true) demandLength(`${section}.shared_secret`, shared_secret);
  return { host, port, allowNonLoopback: allow_non_loopback, sharedSecret: shared_secret };
};

const demandLength = (key: string, secret: string): void => {
  if (secret.length < SHORTEST_SECRET) {
    throw new ConfigException(`${key} has fewer than ${SHORTEST_SECRET} characters; take a longer one, such as 32 random letters.`, {
      context: { key },
    });
  }
};

/** A secret stands for one caller: with two, whose rights counted would be a matter of order. */
const demandDistinct = (tokens: Config['tokens'], owners: readonly { readonly shared_secret?: string | undefined }[]): void => {
  const holders = new Map(owners.flatMap(({ shared_secret }) => (shared_secret === undefined ? [] : [[shared_secret, 'the owner']])));
  for (const { name, secret } of tokens) {
    const other = holders.get(secret);
    if (other !== undefined) {
      throw new ConfigException(`tokens.${name}.secret is also that of ${other}; give each a secret of its own.`, {
        context: { key: `tokens.${name}.secret` },
      });
    }
    holders.set(secret, name);
  }
};

/** A token has its own limits, and those of `[policy]` where it is silent. */
const tokenOf = ({ name, secret, ...own }: Config['tokens'][number], policy: Config['policy']): Token => {
  const merged = { ...policy, ...own };
  return { name, secret, allow: merged.allow, deny: merged.deny, effects: merged.effects, ...rulesOf(merged) };
};

const rulesOf = (limits: Omit<Config['tokens'][number], 'name' | 'secret'>): PolicyRules => ({
  ...limitsOfKeys(limits),
  readWrite: limits.roots ?? [],
  readOnly: limits.read_only_roots ?? [],
});

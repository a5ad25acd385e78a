import { resolve, sep } from 'node:path';
import { type CallerLimits, LIMIT_NAMES, type RequireApproval, type ShareLimits, sharesIn } from '../core/caller-limits.ts';
import { PolicyException } from '../core/errors.ts';
import type { Access, Shut } from '../core/files.ts';
import { translate } from '../lib/fs/faults.ts';
import { resolvePath } from '../lib/fs/resolve.ts';
import { demandKnownKeys, type KnownKeys } from '../lib/text/known-keys.ts';
import { createLocationRule } from './location-rule.ts';

/** The limits of a caller as configured. Roots may be given through links; they mean where those lead when the policy is made. */
export interface PolicyRules extends CallerLimits {
  readonly readWrite?: readonly string[];
  readonly readOnly?: readonly string[];
}

/** A policy as plain data, for another thread: roots are real paths, and what was added to the rules stands behind them. */
export type PolicyForm =
  | { readonly kind: 'rules'; readonly rules: PolicyRules }
  | { readonly kind: 'guarded'; readonly inner: PolicyForm; readonly fixed: readonly string[]; readonly shut: readonly string[] }
  | { readonly kind: 'both'; readonly one: PolicyForm; readonly other: PolicyForm };

/** What a caller may touch. Paths are judged by where they end. */
export interface Policy extends ShareLimits {
  /** The same as plain data; left out where nobody can say it so. */
  readonly form?: PolicyForm | undefined;
  /** Bytes that one run may write; 0 is no limit. */
  readonly maxBytes: number;
  /** Files that one run may delete; 0 is no limit. */
  readonly maxDeletes: number;
  readonly requireApproval: RequireApproval;
  /** Whether a lock, breaker or bucket of this name is everybody's. */
  isSharedName(name: string): boolean;
  /** The root that covers a real path for this access; throws `PolicyException` naming the rule. */
  rootFor(realPath: string, access: Access, shown: string): string;
  /** True when the absolute path lies below a fitting root as written, without looking at links. */
  covers(absolutePath: string, access: Access): boolean;
  /** Throws when a tree to be written or removed holds a read-only root or something that is shut. */
  judgeTree(realPath: string, access: Exclude<Access, 'read'>, shown: string): void;
  /** What is not there for whoever reads from a directory on. */
  shutBelow(realPath: string): Shut;
  demandExecutes(program: string): void;
  /** Throws unless the machine may be reached; `host` is its bare name or address. */
  demandHost(host: string): void;
  /** Throws unless something at a location may be used so; `written` is as the caller wrote it. */
  demandLocation(written: string, access: Access): void;
  demandEnv(name: string): void;
}

const NOTHING_SHUT: Shut = { paths: [] };

/** True for the root itself and everything below it. */
const isBelow = (path: string, root: string): boolean =>
  path.startsWith(root) && (path.length === root.length || root.endsWith(sep) || path[root.length] === sep);

/** A path written in its shortest form: nothing in it can climb or double. */
const isPlain = (path: string): boolean => !path.includes('/.') && !path.includes('//') && !path.includes('\\');

const RULES: KnownKeys<PolicyRules> = { readWrite: true, readOnly: true, ...LIMIT_NAMES };

export const createPolicy = (rules: PolicyRules): Policy => {
  demandKnownKeys(rules, RULES, 'createPolicy'); // a misspelt limit would be none
  const { readWrite = [], readOnly = [] } = rules;
  return policyOf({ ...rules, readWrite: readWrite.map(realRoot), readOnly: readOnly.map(realRoot) });
};

/** The policy of rules whose roots are real paths: the disk is not asked. */
export const policyOf = (rules: PolicyRules): Policy => {
  const { readWrite = [], readOnly = [], executes = false, env = [], hosts, network = hosts !== undefined } = rules;
  const readable = new Set(env);
  const reachable = hosts?.map((host) => host.toLowerCase());
  const locked = readOnly;
  // The longest root that contains a path decides, so a read-only root inside a read-write one stays read-only.
  const roots = [...readWrite.map((root) => ({ root, writable: true })), ...locked.map((root) => ({ root, writable: false }))].sort(
    (a, b) => b.root.length - a.root.length || Number(a.writable) - Number(b.writable),
  );
  const find = (path: string) => roots.find(({ root }) => isBelow(path, root));

  return {
    ...sharesIn(rules),
    form: { kind: 'rules', rules },
    maxBytes: rules.maxBytes ?? 0,
    maxDeletes: rules.maxDeletes ?? 0,
    requireApproval: rules.requireApproval ?? 'none',
    isSharedName: (name) => rules.sharedNames?.includes(name) === true,
    rootFor(realPath, access, shown) {
      const match = find(realPath);
      if (match === undefined) {
        const below = list(roots.map(({ root }) => root));
        const isLedOut = isPlain(shown) && find(shown) !== undefined;
        throw new PolicyException(
          isLedOut
            ? `A link leads from ${shown} out of the policy's roots; use a path that ends below ${below}.`
            : `The policy has no root that contains ${shown}; use a path below ${below}.`,
          {
            context: { rule: 'roots', path: shown, access },
          },
        );
      }
      if (access !== 'read' && !match.writable) {
        throw new PolicyException(`The policy makes ${match.root} read-only, so ${shown} cannot be changed; use a read-write root.`, {
          context: { rule: 'read_only_roots', path: shown, access },
        });
      }
      return match.root;
    },
    covers(absolutePath, access) {
      if (!isPlain(absolutePath)) return false;
      const match = find(absolutePath);
      return match !== undefined && (access === 'read' || match.writable);
    },
    judgeTree(realPath, access, shown) {
      const held = locked.find((root) => isBelow(root, realPath));
      if (held !== undefined) {
        throw new PolicyException(`${shown} holds the read-only root ${held}, so the tree cannot be changed as a whole.`, {
          context: { rule: 'read_only_roots', path: shown, access },
        });
      }
    },
    shutBelow: () => NOTHING_SHUT,
    demandExecutes(program) {
      if (!executes) {
        throw new PolicyException(`The policy does not let this caller run programs (${program}); grant \`executes\` to allow it.`, {
          context: { rule: 'executes', program },
        });
      }
    },
    demandHost(host) {
      if (!network) {
        throw new PolicyException(`The policy does not let this caller reach other machines (${host}); grant \`network\` to allow it.`, {
          context: { rule: 'network', host },
        });
      }
      if (reachable !== undefined && !reachable.some((pattern) => isHostOf(pattern, host.toLowerCase()))) {
        throw new PolicyException(`The policy does not let this caller reach ${host}; add it to the policy's \`hosts\` list.`, {
          context: { rule: 'hosts', host },
        });
      }
    },
    demandLocation: createLocationRule(rules),
    demandEnv(name) {
      if (!readable.has(name)) {
        throw new PolicyException(`The policy does not let this caller read the variable ${name}; add it to the policy's \`env\` list.`, {
          context: { rule: 'env', name },
        });
      }
    },
  };
};

/** `*.example.com` stands for every name below example.com, not for that name itself. */
const isHostOf = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.length > pattern.length - 1 && host.endsWith(pattern.slice(1)) : host === pattern;

/** Paths are judged by where they end, so roots must be what paths can end at. */
const realRoot = (root: string): string => {
  try {
    return resolvePath(resolve(root));
  } catch (fault) {
    throw translate(fault, { path: root, missing: 'directory' });
  }
};

const list = (roots: readonly string[]): string => (roots.length === 0 ? 'a configured root (none is configured)' : roots.join(' or '));

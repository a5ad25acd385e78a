import { type Caller, OWNER } from '../../access/caller.ts';
import type { Credential, GateOptions } from '../../access/gate.ts';
import { createLiveGate, type LiveGate } from '../../access/live-gate.ts';
import type { Instance } from '../instance/instance.ts';
import { type AccessOptions, credentialsOf, remoteOwner } from './callers.ts';

/** The kinds of doors. */
export type DoorKind = 'http' | 'tcp' | 'metrics';

/** Who may come through a door, and how many wrong secrets it bears. */
export interface DoorRules extends AccessOptions {
  readonly wrongPerMinute: number;
}

/** The gates of all doors of a service. */
export interface DoorAccess {
  /** Makes the gate of a door. */
  open(kind: DoorKind, rules: DoorRules): LiveGate;
  /** Makes other rules ready for every gate; throws where they cannot hold. */
  prepare(rulesOf: (kind: DoorKind) => DoorRules): NextRules;
}

/** Rules that can count from now on. */
export interface NextRules {
  /** Whether a door will demand a secret. */
  isLocked(kind: DoorKind): boolean;
  /** Whether it will know none: a door that was locked does not open to everybody. */
  isShut(kind: DoorKind): boolean;
  /** Lets them count, at all doors at once. */
  swap(): void;
}

/** Keeps the gates of a service, and the callers behind them known to the instance: what they store runs with their rights. */
export const createDoorAccess = ({ masker, callers }: Pick<Instance, 'masker' | 'callers'>): DoorAccess => {
  const gates = new Map<DoorKind, LiveGate>();
  const rules = new Map<DoorKind, GateOptions>();
  let known = new Map<string, Caller>();

  const makeKnown = () => {
    const now = new Map<string, Caller>();
    for (const { credentials, stranger } of rules.values()) {
      for (const { secret, caller } of credentials) {
        masker.learn(secret);
        now.set(caller.name, caller);
      }
      if (stranger.acl !== undefined || stranger.policy !== undefined) now.set(stranger.name, stranger);
    }
    for (const name of known.keys()) callers.delete(name);
    if (!callers.has(OWNER.name)) callers.set(OWNER.name, OWNER);
    for (const [name, caller] of now) callers.set(name, caller);
    known = now;
  };

  return {
    open(kind, given) {
      const options = gateOptions(given);
      const gate = createLiveGate(options);
      gates.set(kind, gate);
      rules.set(kind, options);
      makeKnown();
      return gate;
    },
    prepare(rulesOf) {
      const next = new Map([...gates.keys()].map((kind) => [kind, gateOptions(rulesOf(kind))]));
      const hasSecret = (kind: DoorKind) => (next.get(kind)?.credentials.length ?? 0) > 0;
      const wasLocked = (kind: DoorKind) => gates.get(kind)?.locked === true;
      return {
        isLocked: (kind) => wasLocked(kind) || hasSecret(kind),
        isShut: (kind) => wasLocked(kind) && !hasSecret(kind),
        swap() {
          for (const [kind, options] of next) {
            const before = rules.get(kind)?.credentials ?? [];
            gates.get(kind)?.replace(options);
            rules.set(kind, options);
            for (const each of before) if (!isIn(options.credentials, each)) each.rights?.revoke();
          }
          makeKnown();
        },
      };
    },
  };
};

/** Whether somebody comes in with the same secret and may do the same. */
const isIn = (credentials: readonly Credential[], { secret, rights }: Credential): boolean =>
  credentials.some((each) => each.secret === secret && each.rights?.text === rights?.text);

const gateOptions = ({ wrongPerMinute, ...access }: DoorRules): GateOptions => ({
  credentials: credentialsOf(access),
  stranger: remoteOwner(access),
  wrongPerMinute,
});

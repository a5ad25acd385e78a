import { expect, test } from 'vitest';
import { tempDir } from '../../test/support/temp-dir.ts';
import { bothPolicies } from './both-policies.ts';
import { guardFiles } from './guard-files.ts';
import { createPolicy, type Policy } from './policy.ts';
import { restorePolicy } from './restore-policy.ts';

const refusal = (work: () => unknown): string => {
  try {
    return `allowed: ${String(work())}`;
  } catch (fault) {
    return String(fault);
  }
};

/** What a policy says to everything it can be asked. */
const answers = (policy: Policy, paths: readonly string[]) => [
  ...paths.flatMap((path) =>
    (['read', 'write', 'remove'] as const).flatMap((access) => [
      refusal(() => policy.rootFor(path, access, path)),
      policy.covers(path, access),
      access !== 'read' && refusal(() => policy.judgeTree(path, access, path)),
    ]),
  ),
  ...paths.map((path) => policy.shutBelow(path)),
  refusal(() => policy.demandExecutes('ls')),
  refusal(() => policy.demandHost('a.example.com')),
  refusal(() => policy.demandHost('example.org')),
  refusal(() => policy.demandEnv('HOME')),
  [policy.maxBytes, policy.maxDeletes, policy.requireApproval, policy.isSharedName('x')],
];

test('a policy says the same on another thread', () => {
  using dir = tempDir({ 'rw/ro/x': '', 'rw/shut/x': '', 'rw/fixed': '', 'out/x': '' });
  const rules = {
    readWrite: [dir.at('rw')],
    readOnly: [dir.at('rw/ro')],
    hosts: ['*.example.com'],
    env: ['HOME'],
    maxBytes: 5,
    sharedNames: ['x'],
  };
  const guarded = guardFiles(createPolicy(rules), { fixed: [dir.at('rw/fixed')], shut: [dir.at('rw/shut')] });
  const narrow = bothPolicies(guarded, createPolicy({ readWrite: [dir.path], maxDeletes: 3, executes: true }));
  const paths = ['rw', 'rw/a', 'rw/ro/x', 'rw/shut/x', 'rw/fixed', 'out/x'].map((path) => dir.at(path));
  for (const policy of [createPolicy(rules), guarded, narrow]) {
    if (policy.form === undefined) throw new Error('it has no form');
    expect(answers(restorePolicy(structuredClone(policy.form)), paths)).toEqual(answers(policy, paths));
  }
});

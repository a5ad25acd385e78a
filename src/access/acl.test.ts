import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../test/support/cpu-ms.ts';
import type { EffectClass } from '../core/effects.ts';
import { ActionNotPermittedException } from '../core/errors.ts';
import type { About } from '../core/ready.ts';
import { type AclRules, ActionACL } from './acl.ts';

const about = (name: string, effects: readonly EffectClass[] = [], group = 'files'): About => ({
  name,
  aliases: [],
  family: group,
  group,
  effects,
  steps: [],
});

const copy = about('FA_copy_file', ['reads', 'writes']);
const stat = about('FA_stat', ['reads']);
const now = about('FA_now');
const grep = about('FA_grep', ['reads'], 'search');
const shell = about('FA_run_shell', ['executes'], 'shell');
const loop = about('FA_for_each', ['steps'], 'flow');
const files = about('FA_execute_files', ['reads', 'steps'], 'flow');

/** Which of the actions a rule permits. */
const permitted = (rules: AclRules): string[] => {
  const acl = new ActionACL(rules);
  return [copy, stat, now, grep, shell, loop, files].filter((each) => acl.permits(each.name, each)).map(({ name }) => name);
};
const everything = ['FA_copy_file', 'FA_stat', 'FA_now', 'FA_grep', 'FA_run_shell', 'FA_for_each', 'FA_execute_files'];

describe('an access list', () => {
  test.each<[string, AclRules, string[]]>([
    ['permits everything without rules', {}, everything],
    ['permits everything where allow is null', { allow: null }, everything],
    ['permits nothing where allow is empty', { allow: [] }, []],
    ['permits names', { allow: ['FA_stat', 'FA_grep'] }, ['FA_stat', 'FA_grep']],
    ['permits patterns of names', { allow: ['FA_*e*'] }, ['FA_copy_file', 'FA_grep', 'FA_run_shell', 'FA_for_each', 'FA_execute_files']],
    ['permits groups', { allow: ['group:search', 'group:flow'] }, ['FA_grep', 'FA_for_each', 'FA_execute_files']],
    [
      'permits what has no other effect than the named',
      { allow: ['effect:reads'] },
      ['FA_stat', 'FA_grep', 'FA_for_each', 'FA_execute_files'],
    ],
    [
      'permits what has only named effects',
      { allow: ['effect:reads', 'effect:writes'] },
      ['FA_copy_file', 'FA_stat', 'FA_grep', 'FA_for_each', 'FA_execute_files'],
    ],
    ['permits what has no effect', { allow: ['effect:none'] }, ['FA_now', 'FA_for_each']],
    ['refuses names', { deny: ['FA_stat'] }, everything.filter((name) => name !== 'FA_stat')],
    ['refuses groups', { deny: ['group:flow', 'group:shell'] }, ['FA_copy_file', 'FA_stat', 'FA_now', 'FA_grep']],
    ['refuses what has a named effect among others', { deny: ['effect:writes'] }, everything.filter((name) => name !== 'FA_copy_file')],
    ['refuses what runs lists', { deny: ['effect:steps'] }, ['FA_copy_file', 'FA_stat', 'FA_now', 'FA_grep', 'FA_run_shell']],
    ['refuses what has no effect', { deny: ['effect:none'] }, everything.filter((name) => name !== 'FA_now')],
    ['lets deny win over a name', { allow: ['FA_stat', 'FA_now'], deny: ['FA_stat'] }, ['FA_now']],
    [
      'lets deny win over a group, an effect, a pattern',
      { allow: ['FA_stat', 'FA_now', 'FA_grep'], deny: ['group:search', 'effect:none', 'FA_st*'] },
      [],
    ],
    ['takes a pattern for a name, never for a group', { allow: ['group:*', 'files'] }, []],
    ['tells upper and lower case apart', { allow: ['fa_stat', 'FA_STAT'] }, []],
  ])('%s', (_, rules, names) => {
    expect(permitted(rules)).toEqual(names);
  });

  test('refuses unknown names unless everything, or their name, is allowed', () => {
    expect(new ActionACL({}).permits('FA_unknown', undefined)).toBe(true);
    expect(new ActionACL({ allow: ['FA_unk*'] }).permits('FA_unknown', undefined)).toBe(true);
    expect(new ActionACL({ allow: ['effect:none', 'effect:reads', 'group:files'] }).permits('FA_unknown', undefined)).toBe(false);
  });

  test('judges an alias by its own name and by the real one', () => {
    const called = (rules: AclRules) => new ActionACL(rules).permits('FA_old_copy', copy);
    expect(called({ allow: ['FA_old_copy'] })).toBe(true);
    expect(called({ allow: ['FA_copy_file'] })).toBe(true);
    expect(called({ deny: ['FA_old_copy'] })).toBe(false);
    expect(called({ deny: ['FA_copy_file'] })).toBe(false);
    expect(called({ allow: ['FA_old_copy'], deny: ['effect:writes'] })).toBe(false);
  });

  test('refuses in words that do not tell whether the name exists', () => {
    const acl = new ActionACL({ allow: [] });
    const refusalOf = (name: string, known: About | undefined) => {
      try {
        acl.demand(name, known);
      } catch (fault) {
        return fault instanceof ActionNotPermittedException ? fault.toJSON() : fault;
      }
      return undefined;
    };
    expect(refusalOf('FA_stat', stat)).toEqual({
      type: 'ActionNotPermittedException',
      message: 'This caller may not run FA_stat; ask the owner to allow it.',
      retryable: false,
      context: { action: 'FA_stat' },
    });
    expect(JSON.stringify(refusalOf('FA_none', undefined))).toBe(
      JSON.stringify(refusalOf('FA_stat', stat)).replaceAll('FA_stat', 'FA_none'),
    );
  });

  test('has the older spelling of names allowed and denied', () => {
    expect(ActionACL.build(null, ['FA_stat']).permits('FA_stat', stat)).toBe(false);
    expect(ActionACL.build(undefined).permits('FA_stat', stat)).toBe(true);
    expect(ActionACL.build(['FA_stat']).permits('FA_grep', grep)).toBe(false);
    expect(ActionACL.build([]).permits('FA_stat', stat)).toBe(false);
  });
});

describe('a pattern', () => {
  const matches = (pattern: string, name: string) => new ActionACL({ allow: [pattern] }).permits(name, undefined);

  test('matches like the regular expression it stands for', () => {
    const words = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*'), maxLength: 8 });
    const names = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 10 });
    fc.assert(
      fc.property(words, names, (pattern, name) => {
        expect(matches(pattern, name)).toBe(new RegExp(`^${pattern.replaceAll(/\*+/g, '.*')}$`).test(name));
      }),
      { numRuns: 5_000 },
    );
  });

  test('has no other sign with a meaning', () => {
    expect(matches('FA_stat*stat', 'FA_stat')).toBe(false);
    expect(matches('FA_.tat*', 'FA_stat')).toBe(false);
    expect(matches('FA_[s]tat*', 'FA_stat')).toBe(false);
    expect(matches('FA_?tat*', 'FA_stat')).toBe(false);
  });

  test('with many stars is matched in a moment', () => {
    const started = cpuMs();
    expect(matches(`${'*a'.repeat(2_000)}b`, `${'a'.repeat(100_000)}c`)).toBe(false);
    expect(cpuMs() - started).toBeLessThan(1_000);
  });
});

test('a rule about one name of an action holds for all its names', () => {
  const renamed = { ...about('FA_new'), aliases: ['FA_old'] };
  const acl = new ActionACL({ deny: ['FA_old'] });
  expect(acl.permits('FA_new', renamed)).toBe(false);
  expect(acl.permits('FA_old', renamed)).toBe(false);
});

test('a mistyped effect is refused instead of never applying', () => {
  expect(() => new ActionACL({ deny: ['effect:remove'] })).toThrow(/did you mean removes\?/);
});

describe('a reserved action', () => {
  const purge: About = { ...about('FA_audit_purge', ['removes'], 'state'), aliases: ['FA_audit_shorten'], reserved: true };

  test.each<[string, AclRules, boolean]>([
    ['is one like any other in a list of the owner', {}, true],
    ['is refused to limited callers', { isLimited: true }, false],
    [
      'is not meant by patterns, groups and effects',
      { isLimited: true, allow: ['*', 'FA_audit_*', 'group:state', 'effect:removes'] },
      false,
    ],
    ['is permitted by its very name', { isLimited: true, allow: ['FA_audit_purge'] }, true],
    ['is permitted by an alias', { isLimited: true, allow: ['FA_audit_shorten'] }, true],
    ['stays denied where something denies it', { isLimited: true, allow: ['FA_audit_purge'], deny: ['FA_audit_*'] }, false],
  ])('%s', (_, rules, isPermitted) => {
    const acl = new ActionACL(rules);
    expect([acl.permits(purge.name, purge), acl.permits('FA_audit_shorten', purge), acl.permits('FA_stat', stat)]).toEqual([
      isPermitted,
      isPermitted,
      rules.allow === undefined || rules.allow?.includes('*'),
    ]);
  });
});

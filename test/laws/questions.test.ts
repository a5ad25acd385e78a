import { describe, expect, test } from 'vitest';
import { openHouse } from '../support/house.ts';
import { loadActions } from './all-actions.ts';

const actions = await loadActions();
const questions = actions.filter(({ action }) => action.question !== undefined);
/** Of those that ask other machines, the tests of their families bring the peer. */
const asked = questions.filter(({ action }) => action.location === undefined);

test('what tells whether something is so is a question, and says when the answer is no', () => {
  const tellers = actions.filter(({ action }) => /^Tells whether/.test(action.summary) && action.returns.schema.type === 'boolean');
  expect(tellers.filter(({ action }) => action.question === undefined).map(({ about }) => about.name)).toEqual([]);
  for (const { action } of questions) expect(action.question?.no).toMatch(/^[a-z][^.]*$/);
});

test('what verifies can be told to fail', () => {
  const verifiers = asked.filter(({ action }) => 'on_mismatch' in action.args).map(({ action }) => action.name);
  expect([...new Set(verifiers)].sort()).toEqual(['FA_integrity_check', 'FA_verify_checksum', 'FA_verify_manifest']);
});

const FILES = {
  'd/a': 'abc',
  'e/a': 'abd',
  'good.json': '{"version": 1, "algorithm": "md5", "files": {"a": {"size": 3, "checksum": "900150983cd24fb0d6963f7d28e17f72"}}}',
  'bad.json': '{"version": 1, "algorithm": "md5", "files": {"a": {"size": 3, "checksum": "00"}, "b": {"size": 1, "checksum": "00"}}}',
};
const DIGEST = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';

/** Arguments that are answered with yes, and such that are answered with no. */
const ANSWERS: Readonly<Record<string, readonly [yes: object, no: object]>> = {
  FA_verify_checksum: [
    { path: 'd/a', expected: DIGEST },
    { path: 'd/a', expected: '00' },
  ],
  FA_verify_manifest: [
    { root: 'd', manifest_path: 'good.json' },
    { root: 'd', manifest_path: 'bad.json' },
  ],
  FA_integrity_check: [
    { root: 'd', manifest_path: 'good.json' },
    { root: 'd', manifest_path: 'bad.json' },
  ],
  FA_is_within: [
    { root: 'd', user_path: 'a' },
    { root: 'd', user_path: '../e/a' },
  ],
  FA_tracing_status: [{}, {}],
  FA_cas_exists: [
    { root: 'store', digest: DIGEST },
    { root: 'store', digest: '0'.repeat(64) },
  ],
  FA_cron_match: [
    { cron_expression: '0 3 * * *', moment: '2026-01-01T03:00' },
    { cron_expression: '0 3 * * *', moment: '2026-01-01T04:00' },
  ],
  FA_diff_files: [
    { left: 'd/a', right: 'd/a' },
    { left: 'd/a', right: 'e/a' },
  ],
  FA_diff_dirs: [
    { left: 'd', right: 'd' },
    { left: 'd', right: 'e' },
  ],
};

describe('every question', () => {
  test('is tried here', () => {
    expect(Object.keys(ANSWERS).sort()).toEqual([...new Set(asked.map(({ action }) => action.name))].sort());
  });

  // Whether spans are made depends on the process, not on what is asked.
  for (const { action } of asked.filter(({ about }) => about.name !== 'FA_tracing_status')) {
    test(`${action.name} is answered both ways, and no is no failure`, async () => {
      await using house = openHouse({ files: FILES });
      await house.run([['FA_cas_put', ['store', 'd/a']]]);
      const [yes, no] = ANSWERS[action.name] ?? [];
      const { results } = await house.run([
        [action.name, yes],
        [action.name, no],
      ]);
      expect(results.map(({ status, value }) => [status, action.question?.isNo(value)])).toEqual([
        ['ok', false],
        ['ok', true],
      ]);
    });
  }

  for (const name of ['FA_verify_checksum', 'FA_verify_manifest', 'FA_integrity_check']) {
    test(`${name} fails where no is to be a failure`, async () => {
      await using house = openHouse({ files: FILES });
      const [yes, no] = ANSWERS[name] ?? [];
      const { results } = await house.run([
        [name, { ...yes, on_mismatch: 'fail' }],
        [name, { ...no, on_mismatch: 'fail' }],
      ]);
      expect(results.map(({ status }) => status)).toEqual(['ok', 'failed']);
      expect(results[1]?.error?.type).toBe(name === 'FA_verify_checksum' ? 'ChecksumMismatchException' : 'ManifestException');
      if (name !== 'FA_verify_checksum')
        expect(results[1]?.error?.context.summary).toMatchObject({ missing: ['b'], modified: ['a'], ok: false });
    });
  }
});

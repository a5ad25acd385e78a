import { isDeepStrictEqual } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Ready } from '../../src/core/ready.ts';
import { loadActions } from './all-actions.ts';
import { type ReferenceAction, referenceActions } from './reference.ts';

/** Where we differ on purpose: action and facet, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'FA_if_exists effects': 'The path it looks at is judged by the policy, so it counts as read.',
  'FA_if_newer effects': 'The paths it compares are judged by the policy, so they count as read.',
  'FA_if_size_gt effects': 'The path it looks at is judged by the policy, so it counts as read.',
  'FA_queue_enqueue effects': 'The list it queues is judged like one that runs, so that nobody queues what he may not do.',
  'FA_with_file_lock effects': 'The file it locks is judged by the policy and made where it is missing, so it counts as written.',
  'FA_with_lock effects': 'The store file it names is judged by the policy, so it counts as written.',
  ...Object.fromEntries(
    [
      ...['FA_schedule_remove', 'FA_schedule_remove_all', 'FA_watch_stop', 'FA_watch_stop_all', 'FA_integrity_stop'],
      ...['FA_progress_cancel', 'FA_circuit_reset'],
    ].map((name) => [`${name} effects`, 'It changes what other runs do, so it counts as writing.']),
  ),
  ...Object.fromEntries(
    ['FA_s3', 'FA_azure_blob', 'FA_sftp', 'FA_ftp', 'FA_webdav', 'FA_smb'].flatMap((prefix) =>
      ['upload_file', 'upload_dir', 'download_file', 'list_bucket', 'list_container', 'list_dir', 'exists', 'mkcol', 'mkdir']
        .filter((verb) => referenceActions.some(({ name }) => name === `${prefix}_${verb}`))
        .map((verb) => [`${prefix}_${verb} effects`, 'What it changes or looks at elsewhere counts as written or read there too.']),
    ),
  ),
  'FA_sftp_later_init effects': 'The files with the key and the known hosts are judged by the policy, so they count as read.',
  'FA_notify_register effects': 'Where a sink leads is judged by the policy, so it counts as network.',
};

/** What of an action lists rely on: its group, its effects, the names and the defaults of its arguments in order. */
type Facets = Readonly<Record<string, unknown>>;

const facetsOfReference = ({ group, effects, params }: ReferenceAction): Facets => ({
  group,
  effects: effects.filter((effect) => effect !== 'none').sort(),
  arguments: params.map(({ name }) => name),
  ...Object.fromEntries(params.map((param) => [`default of ${param.name}`, param.required ? 'required' : { value: param.default }])),
  'arguments beyond': 'optional',
});

const facetsOfOurs = ({ about, keys, args }: Ready, { params }: ReferenceAction): Facets => ({
  group: about.group,
  effects: [...about.effects].sort(),
  arguments: keys.slice(0, params.length),
  ...Object.fromEntries(args.map((arg, at) => [`default of ${keys[at]}`, arg.optional ? { value: arg.fallback } : 'required'])),
  'arguments beyond': args.slice(params.length).every(({ optional }) => optional) ? 'optional' : 'required',
});

/** The facets that differ, by action and facet, with what was found and what was wanted. */
const differences = (ready: Ready, reference: ReferenceAction): [string, { found: unknown; wanted: unknown }][] => {
  const ours = facetsOfOurs(ready, reference);
  return Object.entries(facetsOfReference(reference)).flatMap(([facet, wanted]) =>
    isDeepStrictEqual(ours[facet], wanted) ? [] : [[`${reference.name} ${facet}`, { found: ours[facet], wanted }]],
  );
};

const ours = new Map(
  (await loadActions()).flatMap((ready) => [ready.about.name, ...(ready.action.aliases ?? [])].map((name) => [name, ready] as const)),
);
const built = referenceActions.flatMap((reference) => {
  const ready = ours.get(reference.name);
  return ready === undefined ? [] : [{ reference, ready }];
});

describe('an action answers to the reference', () => {
  for (const { reference, ready } of built) {
    test(reference.name, () => expect(differences(ready, reference).filter(([facet]) => !Object.hasOwn(EXCEPTIONS, facet))).toEqual([]));
  }
});

test('every exception is still one', () => {
  const differing = new Set(built.flatMap(({ reference, ready }) => differences(ready, reference).map(([facet]) => facet)));
  expect(Object.keys(EXCEPTIONS).filter((facet) => !differing.has(facet))).toEqual([]);
});

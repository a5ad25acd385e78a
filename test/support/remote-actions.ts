import { describe, expect, test } from 'vitest';
import type { RemoteService } from './remote-service.ts';

/** A service, and a server that it reaches under `[connections.nas]` and by the action that opens a connection. */
export interface PathActions {
  readonly type: 'sftp' | 'ftp' | 'webdav' | 'smb';
  readonly service: RemoteService;
  /** A directory of the server, or nothing for where a login leads. */
  readonly base?: string;
  /** Opens a connection with a password. */
  init(password: string): unknown;
  readonly password: string;
  /** The type of its errors. */
  readonly fault: string;
}

const WRONG = 'YS13cm9uZy1idXQtc2VjcmV0LXdvcmQ=';

/** The same for services that keep objects in buckets. */
export interface ObjectActions extends Omit<PathActions, 'type' | 'base'> {
  readonly type: 's3' | 'azure';
  readonly prefix: string;
  readonly bucket: string;
  readonly keys: { readonly bucket: string; readonly key: string; readonly uploadPrefix: string; readonly listPrefix: string };
  readonly verbs: { readonly remove: string; readonly list: string };
}

/** What the actions of a service that keeps objects in buckets owe. */
export const objectActions = ({ type, prefix, service, bucket, keys, verbs, init, password, fault }: ObjectActions): void => {
  const nas = (key: string, more = {}) => ({ [keys.bucket]: bucket, [keys.key]: key, connection: 'nas', ...more });
  const listed = (start: string) => [`${prefix}_${verbs.list}`, { [keys.bucket]: bucket, [keys.listPrefix]: start, connection: 'nas' }];
  const upload = (key: string) => [`${prefix}_upload_file`, { file_path: 'a.txt', ...nas(key) }];
  const look = [`${prefix}_${verbs.list}`, { [keys.bucket]: bucket, [keys.listPrefix]: 'own/' }];

  describe(`the actions of ${type}`, () => {
    test('do what they say, planned and then done', async () => {
      const tree = { dir_path: 'in', [keys.bucket]: bucket, [keys.uploadPrefix]: 'top/tree/', connection: 'nas' };
      const list = [
        upload('top/a'),
        [`${prefix}_upload_dir`, tree],
        listed('top/'),
        listed('top/tr'),
        [`${prefix}_download_file`, { ...nas('top/a'), target_path: 'back.txt' }],
        [`${prefix}_${verbs.remove}`, nas('top/a')],
        listed('top/a'),
      ];
      const plan = await service.ask({ actions: list.slice(0, 2), dry_run: true });
      const targets = plan.body.results?.flatMap(({ plan: own }) => own?.effects.filter(({ kind }) => kind !== 'read') ?? []);
      const location = (key: string) => `${type}+nas://${bucket}/${key}`;
      expect(targets?.map(({ target }) => target).sort()).toEqual(['top/a', 'top/tree/deep/two', 'top/tree/one'].map(location));
      expect(await service.told([listed('top')])).toEqual([[]]);
      const both = ['top/tree/deep/two', 'top/tree/one'];
      expect(await service.told(list)).toEqual([true, both, ['top/a', ...both], both, true, true, []]);
      expect(service.dir.read('back.txt')).toBe('hello');
      expect(await service.told([[`${prefix}_${verbs.remove}`, nas('none')]])).toEqual(['StorageException not_found']);
    });

    test('keep what one caller opens from others and from lists that are kept', async () => {
      const put = [`${prefix}_upload_file`, { file_path: 'a.txt', [keys.bucket]: bucket, [keys.key]: 'own/a' }];
      expect(await service.told([init(password), put, look], 'ann')).toEqual([null, true, ['own/a']]);
      expect(await service.told([look], 'bob')).toEqual(['StorageException unreachable']);
      const kept = [look, init(password)].map((each) => ['FA_queue_enqueue', { action: [each] }]);
      expect(await service.told(kept, 'ann')).toEqual(kept.map(() => 'ValidationException'));
    });

    test('stay below the locations of a caller with limits', async () => {
      expect(await service.told([upload('shared/a'), upload('elsewhere'), listed('shared/'), listed('')], 'ann')).toEqual([
        true,
        'PolicyException',
        ['shared/a'],
        'PolicyException',
      ]);
    });

    test('fail with a type, and keep no secret anywhere', async () => {
      const { body } = await service.ask([init(WRONG), look]);
      expect(body.results?.map(({ error }) => error?.type)).toEqual([undefined, fault]);
      expect(JSON.stringify(body)).not.toContain(WRONG);
      expect(service.holding(`${prefix}_${verbs.list}`)).not.toEqual([]); // the history is there
      expect(service.holding(password, WRONG)).toEqual([]);
    });
  });
};

/** What the actions of every server owe whose files are named by one path. */
export const pathActions = ({ type, service, base = '', init, password, fault }: PathActions): void => {
  const action = (verb: string, args: unknown = {}) => [`FA_${type}_${verb}`, args];
  const at = (path: string) => [base, path].filter((part) => part !== '').join('/');
  const nas = (path: string, more = {}) => ({ remote_path: at(path), connection: 'nas', ...more });
  const location = (path: string) => `${type}+nas://${at(path)}`;
  const namesIn = (list: unknown) => (Array.isArray(list) ? list.map((entry) => (typeof entry === 'string' ? entry : entry.name)) : list);

  describe(`the actions of ${type}`, () => {
    test('do what they say, planned and then done', async () => {
      const list = [
        action('upload_file', { file_path: 'a.txt', ...nas('top/a') }),
        action('upload_dir', { dir_path: 'in', remote_prefix: at('top/tree'), connection: 'nas', max_workers: 1 }),
        action('list_dir', nas('top')),
        action('download_file', { ...nas('top/a'), target_path: 'back.txt' }),
        action('delete_path', nas('top/a')),
        action('list_dir', nas('top')),
      ];
      const plan = await service.ask({ actions: list.slice(0, 2), dry_run: true });
      const targets = plan.body.results?.flatMap(({ plan: own }) => own?.effects.filter(({ kind }) => kind !== 'read') ?? []);
      expect(targets?.map(({ target }) => target).sort()).toEqual(
        ['top', 'top/a', 'top/tree', 'top/tree/deep', 'top/tree/deep/two', 'top/tree/one'].map(location),
      );
      expect(await service.told([action('list_dir', nas('top'))])).toEqual(['StorageException not_found']);
      const values = await service.told({ actions: list, mode: 'serial' });
      expect(values.map(namesIn)).toEqual([true, ['top/tree/deep/two', 'top/tree/one'].map(at), ['a', 'tree'], true, true, ['tree']]);
      expect(service.dir.read('back.txt')).toBe('hello');
      const doomed = await service.ask({ actions: [action('delete_path', nas('top/tree/one'))], dry_run: true });
      expect(doomed.body.results?.[0]?.plan?.effects).toMatchObject([{ kind: 'delete', target: location('top/tree/one') }]);
      expect(await service.told([action('delete_path', nas('none'))])).toEqual(['StorageException not_found']);
    });

    test('keep what one caller opens from others and from lists that are kept', async () => {
      const look = action('list_dir', [at('own')]);
      const opened = [init(password), action('upload_file', ['a.txt', at('own/a')]), look];
      expect((await service.told(opened, 'ann')).map(namesIn)).toEqual([null, true, ['a']]);
      expect((await service.told([look], 'ann')).map(namesIn)).toEqual([['a']]);
      expect(await service.told([look], 'bob')).toEqual(['StorageException unreachable']);
      expect(await service.told([look])).toEqual(['StorageException unreachable']);
      const queued = (each: unknown) => ['FA_queue_enqueue', { action: [each] }];
      const scheduled = (each: unknown) => ['FA_schedule_add', { name: 'x', cron_expression: '0 0 * * *', action_list: [each] }];
      const kept = [queued(look), scheduled(look), queued(init(password)), scheduled(init(password))];
      expect(await service.told(kept, 'ann')).toEqual(kept.map(() => 'ValidationException'));
      expect(await service.submitted([init(password)], 'ann')).toBe(422);
      expect(await service.told([queued(action('list_dir', nas('shared')))], 'ann')).toEqual([expect.any(Number)]);
      expect(await service.told([action('close'), look], 'ann')).toEqual([true, 'StorageException unreachable']);
    });

    test('stay below the locations of a caller with limits', async () => {
      const told = await service.told(
        [
          action('upload_file', { file_path: 'a.txt', ...nas('shared/a') }),
          action('upload_file', { file_path: 'a.txt', ...nas('elsewhere/a') }),
          action('download_file', { ...nas('shared/a'), target_path: '/etc/x' }),
          action('list_dir', nas('top')),
          action('delete_path', nas('shared/../top/tree/one')),
        ],
        'ann',
      );
      expect(told).toEqual([true, 'PolicyException', 'PolicyException', 'PolicyException', 'ArgumentException']);
    });

    test('fail with a type, and keep no secret anywhere', async () => {
      const { body } = await service.ask([init(WRONG), action('list_dir', { connection: 'none' })]);
      expect(body.results?.map(({ error }) => error?.type)).toEqual([fault, 'StorageException']);
      expect(body.results?.[1]?.error?.message).toBe('There is no connection called none; known are nas.');
      expect(JSON.stringify(body)).not.toContain(WRONG);
      expect(service.holding(`FA_${type}_list_dir`)).not.toEqual([]); // the history is there
      expect(service.holding(password, WRONG)).toEqual([]);
    });
  });
};

import { afterAll, describe, expect, test } from 'vitest';
import { describePeer } from '../../support/peers.ts';
import { makeBucket, settingsOf } from '../../support/s3-peer.ts';
import { tempDir } from '../../support/temp-dir.ts';
import { answerOf, factotum } from '../cli/built.ts';

interface Report {
  readonly listed: { readonly location: string; readonly entries: number };
  readonly probe?: { readonly location: string; readonly verified: string };
  readonly can: Readonly<Record<string, unknown>>;
}

const openPlace = (toml: string, files: Readonly<Record<string, string>> = {}) => {
  const dir = tempDir({ ...files, 'factotum.toml': toml });
  const ask = (...words: string[]) =>
    factotum(['connections', ...words], { cwd: dir.path, env: { XDG_STATE_HOME: dir.path, NAS_SECRET: 'not-to-be-shown' } });
  return { dir, ask, [Symbol.dispose]: () => dir[Symbol.dispose]() };
};

const MANY = `
[connections.nas]
type = "sftp"
host = "nas.example.org"
username = "me"
password = "\${env:NAS_SECRET}"
[connections.files]
type = "smb"
server = "files.example.org"
share = "team"
[connections.s3]
type = "s3"
aws_access_key_id = "id-of-nobody"
aws_secret_access_key = "secret-of-nobody"
[connections.blobs]
type = "azure"
connection_string = "AccountName=me;AccountKey=a2V5LW9mLW5vYm9keQ=="
`;

describe('factotum connections', () => {
  test('lists names, types and places, and no secret', () => {
    using place = openPlace(MANY);
    const { out, code } = place.ask();
    expect([code, out]).toEqual([
      0,
      [
        'NAME   TYPE      WHERE',
        'blobs  azure     me.blob.core.windows.net',
        'files  smb       //files.example.org:445/team',
        'nas    sftp      me@nas.example.org:22',
        's3     s3        Amazon',
        '',
      ].join('\n'),
    ]);
    const listed = answerOf<readonly object[]>(place.ask('list', '--json'));
    expect(listed).toContainEqual({ name: 'nas', type: 'sftp', where: 'me@nas.example.org:22' });
    expect(JSON.stringify(listed)).not.toMatch(/nobody|a2V5|not-to-be-shown/);
  });

  test('says so where there are none, where none is named, and where nobody knows it', () => {
    using empty = openPlace('');
    expect(empty.ask().out).toBe('The configuration has no connections; write [connections.NAME] into it.\n');
    using place = openPlace(MANY);
    expect(place.ask('test')).toMatchObject({ code: 2, err: expect.stringContaining('Name the connection to test.') });
    expect(place.ask('test', 'nass')).toMatchObject({
      code: 1,
      err: expect.stringContaining('There is no connection called nass; did you mean nas?'),
    });
  });
});

describePeer('ceph-rgw', '', async (start) => {
  const peer = await start();
  await makeBucket(settingsOf(peer), 'things');
  afterAll(() => peer[Symbol.asyncDispose]());
  const toml = `
[connections.backup]
type = "s3"
endpoint_url = "http://127.0.0.1:${peer.port}"
aws_access_key_id = "${peer.user}"
aws_secret_access_key = "${peer.password}"
`;

  test('a test connects, lists, and tells what the server can do', () => {
    using place = openPlace(toml);
    const { out, code } = place.ask('test', 'backup');
    expect([code, out.split('\n').slice(0, 2)]).toEqual([
      0,
      [`✓ backup reaches s3 at http://127.0.0.1:${peer.port}.`, '✓ s3+backup:// has 1 entry.'],
    ]);
    expect(out).toMatch(/ {2}reading from any offset {2}yes\n/);
  });

  test('a test that writes leaves nothing', () => {
    using place = openPlace(toml);
    const { probe, can } = answerOf<Report>(place.ask('test', 'backup', '--write', '--at', 'things', '--json'));
    expect(probe?.location).toMatch(/^s3\+backup:\/\/things\/factotum-probe-[0-9a-f]{16}$/);
    expect(can).toMatchObject({ ranges: true, parts: true, directories: 'implied' });
    expect(answerOf<Report>(place.ask('test', 'backup', '--at', 'things', '--json')).listed.entries).toBe(0);
    expect(place.ask('test', 'backup', '--at', 'none')).toMatchObject({ code: 1 });
  });
});

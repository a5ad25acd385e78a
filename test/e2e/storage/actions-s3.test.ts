import { afterAll } from 'vitest';
import { describePeer } from '../../support/peers.ts';
import { objectActions } from '../../support/remote-actions.ts';
import { startRemoteService } from '../../support/remote-service.ts';
import { makeBucket, settingsOf } from '../../support/s3-peer.ts';

describePeer('ceph-rgw', '', async (start) => {
  const peer = await start();
  await makeBucket(settingsOf(peer), 'things');
  const endpoint_url = `http://127.0.0.1:${peer.port}`;
  const service = await startRemoteService({
    locations: ['s3+nas://things/shared/', 's3://things/own/'],
    privateHost: `127.0.0.1:${peer.port}`,
    env: { NAS_SECRET: peer.password },
    toml: `
[connections.nas]
type = "s3"
endpoint_url = "${endpoint_url}"
aws_access_key_id = "${peer.user}"
aws_secret_access_key = "\${env:NAS_SECRET}"
`,
  });
  afterAll(async () => {
    await service[Symbol.asyncDispose]();
    await peer[Symbol.asyncDispose]();
  });
  objectActions({
    type: 's3',
    prefix: 'FA_s3',
    service,
    bucket: 'things',
    keys: { bucket: 'bucket', key: 'key', uploadPrefix: 'key_prefix', listPrefix: 'prefix' },
    verbs: { remove: 'delete_object', list: 'list_bucket' },
    password: peer.password,
    fault: 'S3Exception',
    init: (aws_secret_access_key) => ['FA_s3_later_init', { aws_access_key_id: peer.user, aws_secret_access_key, endpoint_url }],
  });
});

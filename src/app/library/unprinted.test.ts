import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { HTTPActionClient } from '../../client/client.ts';
import * as door from '../../index.ts';
import * as spec from '../../spec.ts';
import { createInstance } from '../create.ts';
import { readSink } from '../state/read-sink.ts';

const SECRET = 'S3CRET-that-nobody-may-see';
const FILE = `
[server]
shared_secret = "${SECRET}"
[[tokens]]
name = "backup"
secret = "${SECRET}-2"
[[notify.sinks]]
type = "email"
name = "mail"
host = "smtp.example.com"
sender = "a@example.com"
recipients = ["b@example.com"]
username = "a"
password = "${SECRET}"
[[notify.sinks]]
type = "webhook"
name = "hook"
url = "https://example.com/${SECRET}"
extra_headers = { "X-Key" = "${SECRET}" }
[connections.files]
type = "ftp"
host = "ftp.example.com"
password = "${SECRET}"
`;

const printed = (value: unknown): string =>
  [JSON.stringify(value), inspect(value, { depth: 20, showHidden: true }), inspect([value], { depth: 20 }), `${value}`].join('\n');

test('printing what holds a secret does not show it', async () => {
  using dir = tempDir({ 'factotum.toml': FILE });
  const path = dir.at('factotum.toml');
  const config = await door.AutomationConfig.load(path);
  const byName = await spec.AutomationConfig.load(path);
  const sinks = await config.notificationSinks();
  await using server = await door.startHttpActionServer({ port: 0, sharedSecret: SECRET });
  const factotum = createInstance({ log: { level: 'silent' } });
  factotum.masker.learn(SECRET);
  const holders: Readonly<Record<string, unknown>> = {
    config,
    byName,
    server: config.section('server'),
    tokens: config.section('tokens'),
    token: config.section('tokens')[0],
    notify: config.section('notify'),
    connections: config.section('connections'),
    sinks,
    byNameSinks: await byName.notification_sinks(),
    mail: sinks[0],
    hook: sinks[1],
    door: server,
    client: new HTTPActionClient('http://127.0.0.1:9/', { sharedSecret: SECRET }),
    mcp: new door.MCPServer(null, {}),
    acl: new door.ActionACL({ allow: ['FA_stat'] }),
    factotum,
    manager: door.notificationManager,
  };
  expect(Object.keys(holders).filter((name) => printed(holders[name]).includes('S3CRET'))).toEqual([]);
  await factotum.close();
});

test('what is not printed is still there to be used', async () => {
  using dir = tempDir({ 'factotum.toml': FILE });
  const config = await door.AutomationConfig.load(dir.at('factotum.toml'));
  const [mail, hook] = await config.notificationSinks();
  expect(mail).toMatchObject({ name: 'mail', password: SECRET });
  expect({ ...hook }).toMatchObject({ url: `https://example.com/${SECRET}` });
  expect(JSON.parse(JSON.stringify(mail))).toMatchObject({ name: 'mail', host: 'smtp.example.com', password: '***' });
  const taken: unknown[] = [];
  expect(await config.applyTo({ register: async (sink) => taken.push(await readSink(sink)) })).toBe(2);
  expect(taken).toMatchObject([{ password: SECRET }, { extra_headers: { 'X-Key': SECRET } }]);
});

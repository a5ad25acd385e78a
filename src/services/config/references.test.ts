import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { tempDir } from '../../../test/support/temp-dir.ts';
import { loadSettings } from './load.ts';
import { configReferences, resolveSection, withoutSecrets, writtenSecrets } from './references.ts';
import { configWarnings } from './warnings.ts';

const TOML = `
[server]
shared_secret = "\${file:owner}"
[[tokens]]
name = "ci"
secret = "literal"
[[notify.sinks]]
type = "webhook"
name = "hook"
url = "https://example.com/\${env:HOOK}"
extra_headers = { "X-Key" = "\${env:KEY}", "X-Other" = "written out" }
[[notify.sinks]]
type = "email"
name = "mail"
host = "\${env:MAIL_HOST}"
sender = "a@example.com"
recipients = ["b@example.com", "\${env:WHO}"]
[[schedules]]
name = "n"
cron = "* * * * *"
actions = [["FA_x", ["\${env:NOT_OURS}"]]]
`;

const settings = async (toml = TOML, mode = 0o600) => {
  using dir = tempDir({ 'factotum.toml': toml });
  chmodSync(dir.at('factotum.toml'), mode);
  const loaded = await loadSettings({ env: {}, cwd: dir.path });
  return {
    ...loaded,
    warnings: configWarnings(loaded, { FACTOTUM_HTPP_PORT: '1', FACTOTUM_HTTP_PORT: '1', FACTOTUM_DEBUG: '1', OTHER: '' }),
  };
};

describe('references and secrets of a configuration', () => {
  test('are found with their keys; those of lists belong to the run', async () => {
    const { written } = await settings();
    expect(configReferences(written).map(({ key, written: reference }) => [key, reference])).toEqual(
      expect.arrayContaining([
        ['server.shared_secret', '${file:owner}'],
        ['notify.sinks[0].url', '${env:HOOK}'],
        ['notify.sinks[0].extra_headers.X-Key', '${env:KEY}'],
        ['notify.sinks[1].host', '${env:MAIL_HOST}'],
        ['notify.sinks[1].recipients[1]', '${env:WHO}'],
      ]),
    );
    expect(configReferences(written)).toHaveLength(5);
  });

  test('are masked unless they are nothing but a reference', async () => {
    const { config, written } = await settings();
    const shown = withoutSecrets(config, '***');
    expect(shown.http.shared_secret).toBe('${file:owner}');
    expect(shown.tokens[0]?.secret).toBe('***');
    expect(shown.notify.sinks[0]).toMatchObject({ url: '***', extra_headers: { 'X-Key': '${env:KEY}', 'X-Other': '***' } });
    expect(writtenSecrets(written).map(({ key }) => key)).toEqual([
      'tokens[0].secret',
      'notify.sinks[0].url',
      'notify.sinks[0].extra_headers.X-Other',
    ]);
  });

  test('are replaced in a whole section', async () => {
    const { config } = await settings();
    const { sinks } = await resolveSection(config, 'notify', async (text, key) => `${key}: ${text}`);
    expect(sinks[0]).toMatchObject({ name: 'hook', url: 'notify.sinks[0].url: https://example.com/${env:HOOK}' });
    expect(sinks[1]).toMatchObject({ recipients: [expect.stringContaining('b@example.com'), expect.stringContaining('${env:WHO}')] });
    expect(config.notify.sinks[0]).toMatchObject({ url: 'https://example.com/${env:HOOK}' });
  });
});

describe('warnings', () => {
  test('tell of variables that nothing reads, short secrets and a file that others can read, and say no secret', async () => {
    const { warnings } = await settings(TOML, 0o644);
    expect(warnings).toEqual([
      'Nothing reads the variable FACTOTUM_HTPP_PORT; did you mean FACTOTUM_HTTP_PORT?',
      'tokens[0].secret has fewer than 16 characters; take a longer one.',
      expect.stringMatching(/factotum\.toml holds secrets \([^)]+\) and every user of this machine can read it/),
    ]);
    expect(JSON.stringify(warnings)).not.toContain('literal');
  });

  test('do not mind who reads a file without secrets, or one that only its owner reads', async () => {
    expect((await settings('[http]\nport = 1', 0o644)).warnings).toHaveLength(1);
    expect((await settings(TOML, 0o600)).warnings).toHaveLength(2);
  });

  test('not of a variable that a reference reads', async () => {
    expect((await settings('[server]\nshared_secret = "${env:FACTOTUM_HTPP_PORT}"', 0o600)).warnings).toEqual([]);
  });
});

test('a section that nothing uses yet is told, where it is written', async () => {
  const { warnings } = await settings('[dashboard]\nport = 1\n');
  expect(warnings.filter((warning) => warning.includes('changes nothing'))).toEqual([
    '[dashboard] changes nothing: this version has no dashboard.',
  ]);
  expect((await settings()).warnings.join()).not.toContain('changes nothing');
});

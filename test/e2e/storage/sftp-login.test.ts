import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { afterAll, describe, expect, test } from 'vitest';
import { SFTPException } from '../../../src/core/errors.ts';
import type { SftpSettings } from '../../../src/storage/backends/sftp/settings.ts';
import { describePeer } from '../../support/peers.ts';
import { clientKey, openTestSftp, sftpSettings } from '../../support/sftp.ts';

const { signal } = new AbortController();
const home = async (settings: SftpSettings) => {
  await using storage = openTestSftp(settings);
  return (await storage.stat('', { signal }))?.kind;
};
const refusal = async (settings: SftpSettings): Promise<SFTPException> => {
  const fault = await home(settings).catch((each: unknown) => each);
  expect(fault).toBeInstanceOf(SFTPException);
  expect(`${JSON.stringify(fault)} ${String((fault as Error).cause)}`).not.toMatch(/fapeer-pw|wrong-secret|PRIVATE KEY/);
  return fault as SFTPException; // just looked at
};

describePeer('sshd', 'keys', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());
  const by = (given: Partial<SftpSettings>) => sftpSettings(peer, { password: undefined, ...given });
  const [ed25519 = '', rsa = ''] = sftpSettings(peer).known_hosts?.trim().split('\n') ?? [];

  describe('a login', () => {
    test('by password', async () => expect(await home(sftpSettings(peer))).toBe('dir'));
    test('by key', async () => expect(await home(by({ private_key: clientKey(peer, 'client_ed25519') }))).toBe('dir'));
    test('by a key with a passphrase', async () =>
      expect(await home(by({ private_key: clientKey(peer, 'client_enc'), passphrase: peer.password }))).toBe('dir'));
    test('by password where the key is not known there', async () => {
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', peer.dir.at('stranger')]);
      expect(await home(sftpSettings(peer, { private_key: readFileSync(peer.dir.at('stranger'), 'utf8') }))).toBe('dir');
    });

    test('by an agent', async () => {
      const agent = spawn('ssh-agent', ['-D', '-a', peer.dir.at('agent')], { stdio: ['ignore', 'pipe', 'ignore'] });
      try {
        await once(agent.stdout, 'data');
        execFileSync('ssh-add', ['-q', peer.dir.at('client_ed25519')], {
          env: { ...process.env, SSH_AUTH_SOCK: peer.dir.at('agent') },
          stdio: 'ignore',
        });
        expect(await home(by({ agent: peer.dir.at('agent') }))).toBe('dir');
      } finally {
        agent.kill();
      }
    });

    test.each<[string, Partial<SftpSettings>, RegExp]>([
      ['with the wrong password', { password: 'wrong-secret' }, /refused the login of fapeer \(tried: password\)/],
      ['with nothing', {}, /nothing to log in .* with/],
      ['with an encrypted key and no passphrase', { private_key: 'client_enc' }, /it is encrypted; give its passphrase/],
      ['with the wrong passphrase', { private_key: 'client_enc', passphrase: 'wrong-secret' }, /the passphrase does not open it/],
      ['with what is no key', { private_key: 'no key' }, /it is no private key/],
      ['with an agent that is not there', { agent: '/nowhere/agent' }, /refused the login|agent cannot be asked/],
    ])('%s is refused', async (_how, given, message) => {
      const key = given.private_key === 'client_enc' ? { private_key: clientKey(peer, 'client_enc') } : {};
      const fault = await refusal(by({ ...given, ...key }));
      expect(fault.message).toMatch(message);
      expect(fault).toMatchObject({ context: { code: 'denied' }, retryable: false });
    });
  });

  describe('a host key', () => {
    test('is asked for in the type that is known', async () => {
      for (const known_hosts of [ed25519, rsa]) expect(await home(sftpSettings(peer, { known_hosts }))).toBe('dir');
    });

    test('is found behind hashed names', async () => {
      peer.dir.write('hashed', `${ed25519}\n`);
      execFileSync('ssh-keygen', ['-q', '-H', '-f', peer.dir.at('hashed')], { stdio: 'ignore' });
      expect(peer.dir.read('hashed')).toMatch(/^\|1\|/);
      expect(await home(sftpSettings(peer, { known_hosts: peer.dir.read('hashed') ?? '' }))).toBe('dir');
    });

    test('that is not known is refused with the line to add, and that line is enough', async () => {
      const { message, context } = await refusal(sftpSettings(peer, { known_hosts: '' }));
      expect(message).toMatch(/is not known: it shows ssh-ed25519 SHA256:/);
      expect(context).toMatchObject({ code: 'denied', reason: 'host_key_unknown', line: ed25519 });
      const shown = execFileSync('ssh-keygen', ['-l', '-f', peer.dir.at('host_ed25519.pub')], { encoding: 'utf8' });
      expect(shown).toContain(context.fingerprint);
      expect(await home(sftpSettings(peer, { known_hosts: String(context.line) }))).toBe('dir');
    });

    test('that has changed is told apart', async () => {
      const other = readFileSync(peer.dir.at('client_ed25519.pub'), 'utf8').split(' ').slice(0, 2).join(' ');
      const fault = await refusal(sftpSettings(peer, { known_hosts: `\n[127.0.0.1]:${peer.port} ${other}` }));
      expect(fault.message).toMatch(/has CHANGED.*line 2/);
      expect(fault).toMatchObject({ context: { reason: 'host_key_changed' }, retryable: false });
    });

    test('that is revoked is refused', async () => {
      const fault = await refusal(sftpSettings(peer, { known_hosts: `${ed25519}\n@revoked ${ed25519.replace(/^\S+/, '*')}` }));
      expect(fault.context).toMatchObject({ reason: 'host_key_revoked' });
    });

    test('by an authority only is refused clearly', async () => {
      const fault = await refusal(sftpSettings(peer, { known_hosts: `@cert-authority ${ed25519.replace(/^\S+/, '*')}` }));
      expect(fault.message).toMatch(/certificate authority only \(line 1 .* not supported/);
    });
  });

  test('a port where nobody listens is unreachable, and may be reachable later', async () => {
    expect(await refusal(sftpSettings(peer, { port: peer.port + 19 }))).toMatchObject({
      context: { code: 'unreachable', server_code: 'ECONNREFUSED' },
      retryable: true,
    });
  });

  test('the program sftp finds what was written, and its files are read', async () => {
    await using storage = openTestSftp(sftpSettings(peer));
    const directory = peer.dir.at('home');
    await storage.write(
      `${directory}/ours`,
      {
        chunks: async function* () {
          yield Buffer.from('from us');
        },
      },
      { signal },
    );
    peer.dir.write('batch', `get ${directory}/ours ${peer.dir.at('fetched')}\nput ${peer.dir.at('fetched')} ${directory}/theirs\n`);
    execFileSync(
      'sftp',
      [
        '-q',
        '-b',
        peer.dir.at('batch'),
        '-i',
        peer.dir.at('client_ed25519'),
        '-o',
        `UserKnownHostsFile=${peer.dir.at('known_hosts')}`,
        '-P',
        String(peer.port),
        'fapeer@127.0.0.1',
      ],
      { stdio: 'ignore' },
    );
    const chunks: Buffer[] = [];
    for await (const chunk of await storage.read(`${directory}/theirs`, { signal })) chunks.push(Buffer.from(chunk));
    expect(Buffer.concat(chunks).toString()).toBe('from us');
  });
});

describePeer('sshd', 'legacy', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());

  test('a server of old is refused, with the way to allow it', async () => {
    const fault = await refusal(sftpSettings(peer));
    expect(fault.message).toMatch(/no algorithm in common .*legacy_algorithms = true/);
    expect(fault).toMatchObject({ context: { code: 'unsupported' }, retryable: false });
  });

  test('a server of old is reached where that is allowed', async () => {
    expect(await home(sftpSettings(peer, { legacy_algorithms: true }))).toBe('dir');
  });
});

describePeer('sshd', 'modern', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());
  test('a server with nothing but new algorithms is reached', async () => expect(await home(sftpSettings(peer))).toBe('dir'));
});

describePeer('sshd', 'interactive', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());
  test('a server that asks for the password is told it', async () => expect(await home(sftpSettings(peer))).toBe('dir'));
});

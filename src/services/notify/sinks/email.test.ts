import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { openSilence } from '../../../../test/support/net/receiver.ts';
import { openNotifier, sinkCertificates } from '../../../../test/support/notify/open-notifier.ts';
import { hasSmtpPeer, type Mail, openSmtpPeer, type SmtpPeer } from '../../../../test/support/notify/smtp-peer.ts';
import { createNetwork } from '../../../lib/net/network.ts';

const certificates = sinkCertificates();
afterAll(() => certificates[Symbol.dispose]());

const MAIL = {
  type: 'email',
  name: 'mail',
  host: 'hook.example',
  sender: 'factotum@example.com',
  recipients: ['ops@example.com', 'boss@example.com'],
  allow_private_hosts: true,
  ca_file: certificates.dir.at('ca.pem'),
};
const LOGIN = { username: 'ops', password: 'hunter2-hunter2' };
const SECRET = 'tok-0123456789abcdef';
const STARTTLS = { ...MAIL, ...LOGIN };

/** Sends one message through a mail sink; the name of the server leads to this machine. */
const sendMail = async (sink: object, message: object = {}) => {
  const network = createNetwork({ lookup: async () => ['127.0.0.1'] });
  await using world = await openNotifier({ certificates, sinks: [sink], parts: { network } });
  world.masker.learn(SECRET);
  const answers = await world.notifier.send({ subject: 'disk full', body: 'Größe: 100 %', level: 'error', ...message });
  return { answer: answers.mail, waiting: await world.store.notifications.waiting(), shown: JSON.stringify([answers, world.lines]) };
};
const lastMail = (peer: SmtpPeer): Promise<Mail> => vi.waitUntil(() => peer.mails.at(-1), { timeout: 30_000 });

describe.skipIf(!hasSmtpPeer)('a real mail server (python3-aiosmtpd)', () => {
  test.each([
    ['STARTTLS', 'starttls', {}],
    ['TLS from the first byte', 'implicit', { implicit_tls: true }],
  ] as const)('takes a mail over %s after a login', async (_, kind, options) => {
    await using peer = await openSmtpPeer(certificates, kind);
    expect(await sendMail({ ...STARTTLS, port: peer.port, ...options })).toMatchObject({ answer: 'sent', waiting: 0 });
    const { text, ...envelope } = await lastMail(peer);
    expect(envelope).toEqual({ from: 'factotum@example.com', to: ['ops@example.com', 'boss@example.com'], tls: true, user: 'ops' });
    expect(text).toMatch(/^Subject: \[ERROR\] disk full\r?$/m);
    expect(text).toMatch(/^Date: Mon, 02 Mar 2026 12:00:00 \+0000\r?$/m);
    expect(text).toMatch(/^Message-ID: <[0-9a-f-]{36}@.+>\r?$/m);
    expect(text).toMatch(/^Auto-Submitted: auto-generated\r?$/m);
    expect(text).toContain('Gr=C3=B6=C3=9Fe: 100 %');
  });

  test('gets no secret that the house knows', async () => {
    await using peer = await openSmtpPeer(certificates, 'starttls');
    await sendMail({ ...STARTTLS, port: peer.port }, { subject: `uses ${SECRET}`, body: `with ${SECRET}`, context: { token: SECRET } });
    const { text } = await lastMail(peer);
    expect(text).toContain('uses ***');
    expect(text).not.toContain(SECRET);
  });

  test('takes a mail without TLS where the configuration says so', async () => {
    await using peer = await openSmtpPeer(certificates, 'plain');
    expect(await sendMail({ ...MAIL, port: peer.port, use_tls: false })).toMatchObject({ answer: 'sent' });
    expect(await lastMail(peer)).toMatchObject({ tls: false, user: null });
  });

  test('that offers no TLS gets neither mail nor password', async () => {
    await using peer = await openSmtpPeer(certificates, 'plain');
    const { answer, waiting } = await sendMail({ ...STARTTLS, port: peer.port });
    expect(answer).toMatch(/did not take the message: .*TLS/);
    expect([waiting, peer.mails]).toEqual([0, []]);
  });

  test('with the certificate of another name gets nothing', async () => {
    await using peer = await openSmtpPeer(certificates, 'starttls');
    const { answer } = await sendMail({ ...STARTTLS, host: 'elsewhere.example', port: peer.port });
    expect(answer).toMatch(/certificate|altnames/i);
    expect(peer.mails).toEqual([]);
  });

  test('that refuses the password is not asked again, and the password shows nowhere', async () => {
    await using peer = await openSmtpPeer(certificates, 'starttls');
    const { answer, waiting, shown } = await sendMail({ ...STARTTLS, password: 'wrong-password', port: peer.port });
    expect(answer).toMatch(/535/);
    expect(waiting).toBe(0);
    expect(shown).not.toContain('wrong-password');
    expect(shown).not.toContain(Buffer.from('\0ops\0wrong-password').toString('base64'));
  });

  test.each([
    ['for good', 'nobody@example.com', 0],
    ['for now', 'later@example.com', 1],
  ])('that refuses the recipient %s is asked again only then', async (_, recipient, wanted) => {
    await using peer = await openSmtpPeer(certificates, 'starttls');
    expect(await sendMail({ ...STARTTLS, recipients: [recipient], port: peer.port })).toMatchObject({ waiting: wanted });
  });
});

test('a mail server that never greets is given up after its time', async () => {
  await using silence = await openSilence();
  expect(await sendMail({ ...MAIL, port: silence.port, timeout: 0.2 })).toMatchObject({
    answer: 'The sink mail did not take the message within 0.2 s.',
    waiting: 1,
  });
});

/** A mail server that answers the login with this line. */
const openLoginPeer = async (answer: string) => {
  const server = createServer((socket) => {
    socket.write('220 here\r\n');
    socket.on('data', (line) => {
      const word = String(line).slice(0, 4).toUpperCase();
      socket.write(word === 'EHLO' ? '250-here\r\n250 AUTH PLAIN\r\n' : word === 'AUTH' ? `${answer}\r\n` : '221 bye\r\n');
    });
    socket.on('error', () => {});
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { port: (server.address() as AddressInfo).port, [Symbol.dispose]: () => server.close() };
};

test.each([
  ['for now', '454 4.7.0 Too many login attempts, please try again later', 1],
  ['for good', '535 5.7.8 Authentication credentials invalid', 0],
])('a login that is refused %s is tried again only then', async (_, answer, wanted) => {
  using peer = await openLoginPeer(answer);
  expect(await sendMail({ ...MAIL, ...LOGIN, use_tls: false, port: peer.port })).toMatchObject({
    answer: expect.stringContaining(answer.slice(0, 3)),
    waiting: wanted,
  });
});

test('a mail server in a private network is refused unless that is allowed', async () => {
  expect((await sendMail({ ...MAIL, allow_private_hosts: false })).answer).toBe(
    'Its address at hook.example is refused: it leads to an address that is not public; allow private hosts if that is meant.',
  );
});

test.each([
  'a@b.example\r\nBcc: x@y.example',
  'A <a@b.example>',
  'a@b.example,c@d.example',
  '"a@x.example"@b.example',
  `${'a'.repeat(250)}@b.example`,
  'nobody',
])('the address %j is refused', async (address) => {
  expect((await sendMail({ ...MAIL, recipients: [address] })).answer).toMatch(/plain form/);
});

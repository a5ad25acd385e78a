import type { Socket } from 'node:net';
import type { AnyAuthMethod, Client, ConnectConfig, SFTPWrapper } from 'ssh2';
import { FileAutomationException, type SFTPException } from '../../../core/errors.ts';
import type { BackendWorld } from '../../backend.ts';
import type { StorageFaults } from '../../faults.ts';
import { algorithmsFor } from './algorithms.ts';
import { fingerprintOf, hostName, keyTypeOf, lineFor, readKnownHost } from './known-hosts.ts';
import { loadSsh2 } from './load-ssh2.ts';
import type { SftpSettings } from './settings.ts';

/** A connection that is logged in and speaks SFTP. */
export interface OpenedSsh {
  readonly client: Client;
  readonly sftp: SFTPWrapper;
  readonly socket: Socket;
  /** It takes requests of 255 KiB; others are promised 32 KiB only. */
  readonly isOpenSsh: boolean;
}

type Ssh2 = typeof import('ssh2');

export interface SshOptions {
  readonly settings: SftpSettings;
  readonly world: BackendWorld;
  readonly faults: StorageFaults;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/** Connects, compares the host key, logs in and starts SFTP. The library is loaded here and not before. */
export const openSsh = async ({ settings, world, faults, signal }: SshOptions): Promise<OpenedSsh> => {
  const ssh2 = loadSsh2();
  const { host, port = 22, timeout = 15 } = settings;
  const methods = authMethods(settings, ssh2, faults);
  const socket = await world.network
    .connect(host, port, { timeoutMs: timeout * 1000, signal, rules: world.rules })
    .catch((fault: unknown) => {
      throw unreachable(fault, settings, faults, signal);
    });
  const client = new ssh2.Client();
  let software = '';
  socket.once('data', (first: Buffer) => {
    software = /^SSH-2\.0-([\x21-\x7e]{1,200})/m.exec(first.toString('latin1', 0, 4096))?.[1] ?? '';
  });
  let refusal: SFTPException | undefined;
  const known = readKnownHost(settings.known_hosts ?? '', host, port);
  const config: ConnectConfig = {
    sock: socket,
    username: settings.username,
    readyTimeout: timeout * 1000,
    algorithms: algorithmsFor(known.types, settings.legacy_algorithms === true),
    hostVerifier: (key: Buffer) => {
      refusal = refusalOf(key, known, settings, faults);
      return refusal === undefined;
    },
    authHandler: methods,
    tryKeyboard: true,
  };
  client.on('keyboard-interactive', (_name, _instructions, _lang, prompts, finish) =>
    // Only a hidden question is one for the password.
    finish(prompts.map(({ echo }) => (echo === true ? '' : (settings.password ?? '')))),
  );
  try {
    await ready(client, config, signal);
    const sftp = await startSftp(client, timeout * 1000, signal);
    return { client, sftp, socket, isOpenSsh: /^OpenSSH/.test(software) };
  } catch (fault) {
    client.on('error', () => {}); // a late one, of a connection that nobody holds
    client.destroy();
    socket.destroy();
    signal.throwIfAborted();
    throw refusal ?? loginFault(fault, settings, faults);
  }
};

const ready = (client: Client, config: ConnectConfig, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const settle = () => signal.removeEventListener('abort', stop);
    client
      .once('ready', () => {
        settle();
        resolve();
      })
      .on('error', (fault) => {
        settle();
        reject(fault);
      })
      .once('close', () => {
        settle();
        reject(new Error('the connection was closed before the login ended'));
      })
      .connect(config);
  });

const startSftp = (client: Client, timeoutMs: number, signal: AbortSignal): Promise<SFTPWrapper> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(Object.assign(new Error('SFTP did not start in time'), { level: 'client-timeout' })), timeoutMs);
    const stop = () => reject(signal.reason);
    signal.addEventListener('abort', stop, { once: true });
    const settle = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', stop);
    };
    client.once('close', () => {
      settle();
      reject(new Error('the connection was closed before SFTP started'));
    });
    client.sftp((fault, sftp) => {
      settle();
      if (fault) reject(Object.assign(fault, { level: 'sftp-start' }));
      else resolve(sftp);
    });
  });

/** What to log in with, the strongest first. */
const authMethods = (settings: SftpSettings, ssh2: Ssh2, faults: StorageFaults): AnyAuthMethod[] => {
  const { username, password, private_key: key, passphrase, agent } = settings;
  const methods: AnyAuthMethod[] = [];
  if (agent !== undefined) methods.push({ type: 'agent', username, agent });
  if (key !== undefined) {
    const parsed = ssh2.utils.parseKey(key, passphrase);
    if (parsed instanceof Error || parsed === null || parsed === undefined) throw badKey(parsed, passphrase, faults);
    methods.push({ type: 'publickey', username, key: parsed });
  }
  if (password !== undefined) {
    methods.push({ type: 'password', username, password });
    methods.push({
      type: 'keyboard-interactive',
      username,
      prompt: (_name, _instructions, _lang, prompts, finish) => finish(prompts.map(({ echo }) => (echo === true ? '' : password))),
    });
  }
  if (methods.length === 0) {
    throw faults.because('denied', `There is nothing to log in to ${settings.host} with; give a password, a private key or an agent.`, {
      context: { host: settings.host, reason: 'no_credentials' },
    });
  }
  return methods;
};

const badKey = (fault: unknown, passphrase: string | undefined, faults: StorageFaults): SFTPException => {
  const said = fault instanceof Error ? fault.message : '';
  const why = /passphrase/i.test(said)
    ? passphrase === undefined
      ? 'it is encrypted; give its passphrase'
      : 'the passphrase does not open it'
    : /integrity|decrypt|bad/i.test(said) && passphrase !== undefined
      ? 'the passphrase does not open it'
      : 'it is no private key in the format of OpenSSH or PEM';
  return faults.because('denied', `The private key cannot be used: ${why}.`, { context: { reason: 'bad_key' } });
};

const refusalOf = (
  key: Buffer,
  known: ReturnType<typeof readKnownHost>,
  { host, port = 22 }: SftpSettings,
  faults: StorageFaults,
): SFTPException | undefined => {
  const verdict = known.judge(key);
  if (verdict.kind === 'known') return undefined;
  const [fingerprint, line, name] = [fingerprintOf(key), lineFor(host, port, key), hostName(host, port)];
  const shown = `${keyTypeOf(key)} ${fingerprint}`;
  const message = {
    unknown: () =>
      `The host key of ${name} is not known: it shows ${shown}; if its administrator confirms that fingerprint, add this line to known_hosts: ${line}`,
    changed: () =>
      `The host key of ${name} has CHANGED: it shows ${shown}, known_hosts has another one (line ${verdict.kind === 'changed' ? verdict.lines.join(', ') : ''}); somebody may be listening in between: ask its administrator, and only then replace that line by: ${line}`,
    revoked: () =>
      `The host key of ${name} is revoked (line ${verdict.kind === 'revoked' ? verdict.line : ''} of known_hosts): it shows ${shown}; do not log in there until it has another key.`,
    authority: () =>
      `The host key of ${name} is known by a certificate authority only (line ${verdict.kind === 'authority' ? verdict.line : ''} of known_hosts), which is not supported: it shows ${shown}; if its administrator confirms that fingerprint, add this line to known_hosts: ${line}`,
  }[verdict.kind]();
  return faults.because('denied', message, { context: { host, port, reason: `host_key_${verdict.kind}`, fingerprint, line } });
};

const unreachable = (fault: unknown, { host, port = 22 }: SftpSettings, faults: StorageFaults, signal: AbortSignal): unknown => {
  if (signal.aborted) return signal.reason;
  const isOurs = fault instanceof FileAutomationException;
  const code = fault instanceof Error && 'code' in fault && typeof fault.code === 'string' ? fault.code : undefined;
  const why = isOurs
    ? fault.message
    : `${host} port ${port} cannot be reached (${code ?? 'no reason given'}); check host, port and network.`;
  return faults.because('unreachable', why, {
    cause: fault,
    // An address that is refused by rule stays refused.
    retryable: isOurs ? fault.type !== 'UrlValidationException' || fault.retryable : true,
    context: { host, port, ...(code !== undefined && { server_code: code }) },
  });
};

const loginFault = (
  fault: unknown,
  { host, port = 22, username, timeout = 15, ...given }: SftpSettings,
  faults: StorageFaults,
): unknown => {
  if (fault instanceof FileAutomationException || !(fault instanceof Error)) return fault;
  const level = 'level' in fault ? fault.level : undefined;
  const context = { host, port };
  if (level === 'client-authentication') {
    const tried = [given.agent && 'agent', given.private_key && 'key', given.password && 'password'].filter((each) => each).join(', ');
    return faults.because(
      'denied',
      `${host} refused the login of ${username} (tried: ${tried}); check the name and what it logs in with.`,
      {
        context: { ...context, reason: 'login', server_code: 'SSH_MSG_USERAUTH_FAILURE' },
      },
    );
  }
  if (level === 'agent') {
    return faults.because('denied', `The agent cannot be asked for keys; check that it runs and that SSH_AUTH_SOCK is its socket.`, {
      context: { ...context, reason: 'agent' },
    });
  }
  if (level === 'client-timeout')
    return faults.because('unreachable', `${host} did not finish the login within ${timeout} s; try later, or allow more with timeout.`, {
      retryable: true,
      context,
    });
  if (level === 'handshake' && /no matching/i.test(fault.message)) {
    const remedy =
      given.legacy_algorithms === true ? 'bring the server up to date' : 'bring the server up to date, or set legacy_algorithms = true';
    return faults.because('unsupported', `${host} and this side have no algorithm in common (${plain(fault.message)}); ${remedy}.`, {
      context: { ...context, reason: 'algorithms' },
    });
  }
  if (level === 'sftp-start')
    return faults.because(
      'unsupported',
      `${host} does not start SFTP for ${username} (${plain(fault.message)}); have the subsystem sftp allowed there.`,
      {
        context,
      },
    );
  if (level === 'protocol' || level === 'handshake')
    return faults.because(
      'broken',
      `${host} does not speak SSH as it should (${plain(fault.message)}); check that the port is that of SSH.`,
      {
        context,
      },
    );
  return faults.because('unreachable', `The connection to ${host} broke during the login (${plain(fault.message)}); try again later.`, {
    retryable: true,
    context,
  });
};

const plain = (said: string): string => said.replace(/[\u0000-\u001f\u007f]/g, ' ').slice(0, 200);

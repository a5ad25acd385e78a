import type { FTPException } from '../../../core/errors.ts';
import { type ControlLine, type ControlOptions, openControlLine } from './control.ts';
import { type Reply, saidIn } from './reply.ts';

/** A connection that is logged in. */
export interface FtpSession extends ControlLine {
  /** What the server said that it can, in capitals. */
  readonly features: ReadonlySet<string>;
  /** Where the login has led; undefined where the server does not tell. */
  readonly home: string | undefined;
  /** When it was last used, for those who want to know whether it still lives. */
  usedMs: number;
}

/** Connects, encrypts where that is said, logs in and asks what the server can. */
export const openFtp = async (options: ControlOptions): Promise<FtpSession> => {
  const { settings, faults } = options;
  const { host, username = 'anonymous', password = username === 'anonymous' ? 'anonymous@' : '' } = settings;
  if (/[\r\n\0]/.test(`${username}${password}`))
    throw faults.because('denied', 'A name or password with a line break cannot be sent over FTP.');
  const line = await openControlLine(options);
  const refuse = (reply: Reply, what: string, reason: string): FTPException => {
    const said = password === '' ? saidIn(reply) : saidIn(reply).replaceAll(password, '***');
    const isFull = reply.code === 421 || (reply.code === 530 && /too many|maximum|limit/i.test(said));
    return faults.because(isFull ? 'busy' : 'denied', `${host} ${what} (${reply.code} ${said}).`, {
      retryable: isFull,
      context: { host, reason, server_code: String(reply.code) },
    });
  };
  try {
    const isExplicit = settings.tls === true && settings.implicit !== true;
    if (isExplicit) {
      const reply = await line.ask('AUTH TLS');
      if (reply.code !== 234) {
        throw faults.because(
          'unsupported',
          `${host} offers no encryption (${reply.code}); set tls = false only where everybody may read along.`,
          {
            context: { host, server_code: String(reply.code) },
          },
        );
      }
      await line.encrypt();
    }
    let reply = await line.ask(`USER ${username}`);
    if (reply.code === 331) reply = await line.ask(`PASS ${password}`);
    if (reply.code !== 230 && reply.code !== 202) {
      const hint =
        /ssl|tls|encrypt/i.test(saidIn(reply)) && !isExplicit && settings.implicit !== true
          ? '; set tls = true'
          : '; check the name and the password';
      throw refuse(reply, `refused the login of ${username}${hint}`, 'login');
    }
    if (isExplicit || settings.implicit === true) {
      await line.ask('PBSZ 0');
      const kept = await line.ask('PROT P');
      if (kept.code !== 200) throw refuse(kept, 'does not encrypt data', 'protection');
    }
    const features = featuresOf(await line.ask('FEAT'));
    if (features.has('UTF8')) await line.ask('OPTS UTF8 ON');
    const binary = await line.ask('TYPE I');
    if (binary.code !== 200) throw refuse(binary, 'does not pass bytes as they are', 'binary');
    const home = directoryIn(await line.ask('PWD'));
    return {
      get isOpen() {
        return line.isOpen;
      },
      ask: line.ask,
      transfer: line.transfer,
      encrypt: line.encrypt,
      destroy: line.destroy,
      features,
      home,
      usedMs: 0,
    };
  } catch (fault) {
    line.destroy();
    throw fault;
  }
};

/** `211-Features:` and one on each line; of those with parameters the first word counts. */
const featuresOf = ({ code, lines }: Reply): ReadonlySet<string> =>
  new Set(code === 211 ? lines.slice(1, -1).map((each) => each.trim().split(' ')[0]?.toUpperCase() ?? '') : []);

/** `257 "/home/x" is the current directory`; quotes inside are doubled. */
const directoryIn = ({ code, lines }: Reply): string | undefined => {
  const found = code === 257 ? /^"((?:[^"]|"")*)"/.exec(lines[0] ?? '')?.[1]?.replaceAll('""', '"') : undefined;
  return found?.startsWith('/') === true ? found : undefined;
};

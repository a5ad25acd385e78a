import { hostname } from 'node:os';
import { FileAutomationException, NotificationException } from '../../../core/errors.ts';
import type { EmailSink } from '../../../core/ports/notify.ts';
import type { Network } from '../../../lib/net/network.ts';
import type { Message } from '../message.ts';
import { linesOf } from './text.ts';

const PLAIN_ADDRESS = /^[^\s@<>()[\],;:"\\]+@[^\s@<>()[\],;:"\\]+$/;
const LONGEST_ADDRESS = 254;

/** Refuses addresses that a mail library might read as several, as a group or as another domain. */
export const demandAddresses = ({ sender, recipients, name }: Pick<EmailSink, 'sender' | 'recipients' | 'name'>): void => {
  for (const address of [sender, ...recipients]) {
    if (address.length <= LONGEST_ADDRESS && PLAIN_ADDRESS.test(address)) continue;
    throw new NotificationException(`The sink ${name} has an address that is not of the plain form name@example.com.`, {
      context: { sink: name },
    });
  }
};

/** Sends a mail over a connection to a judged address. */
export const sendEmail = async (
  network: Network,
  sink: EmailSink,
  message: Message,
  { ca, signal }: { readonly ca: string | undefined; readonly signal: AbortSignal },
): Promise<void> => {
  demandAddresses(sink);
  const { host, port, sender, recipients, username, password, use_tls, implicit_tls, timeout, allow_private_hosts } = sink;
  const timeoutMs = timeout * 1000;
  const { createTransport } = await import('nodemailer');
  const connection = await network.connect(host, port, { timeoutMs, signal, rules: { allowPrivate: allow_private_hosts } });
  connection.on('error', () => {}); // the library listens a little later, and only while it sends
  const stop = () => connection.destroy();
  signal.addEventListener('abort', stop, { once: true });
  const transport = createTransport({
    host,
    port,
    connection,
    secure: use_tls && implicit_tls,
    ...(use_tls ? { requireTLS: true } : { ignoreTLS: true }),
    tls: { minVersion: 'TLSv1.2', rejectUnauthorized: true, ...(ca !== undefined && { ca }) },
    ...(username !== undefined && { auth: { user: username, pass: password ?? '' } }),
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    await transport.sendMail({
      from: sender,
      to: [...recipients],
      subject: `[${message.level.toUpperCase()}] ${message.subject}`,
      text: linesOf(message) || message.subject,
      date: new Date(message.at),
      messageId: `<${message.id}@${hostname()}>`,
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
  } catch (fault) {
    throw signal.aborted ? signal.reason : translated(fault, sink);
  } finally {
    signal.removeEventListener('abort', stop);
    transport.close();
    connection.destroy();
  }
};

/** What the server said, without what it was told: that may hold the password. */
const translated = (fault: unknown, { name, host }: EmailSink): unknown => {
  if (fault instanceof FileAutomationException || !(fault instanceof Error)) return fault;
  const { code = '', responseCode = 0 } = fault as Error & { code?: string; responseCode?: number }; // as nodemailer sets them
  const isForGood = responseCode >= 500 && responseCode < 600;
  const isLoginForNow = code === 'EAUTH' && responseCode >= 400 && responseCode < 500; // there were too many, or the directory is down
  const isFinal = isForGood || (code === 'EAUTH' && !isLoginForNow) || code === 'ETLS' || code === 'ENOAUTH';
  return new NotificationException(`The mail server ${host} did not take the message: ${fault.message.replace(/\s+/g, ' ')}.`, {
    context: { sink: name, host, ...(code !== '' && { code }), ...(responseCode !== 0 && { status: responseCode }) },
    retryable: !isFinal,
  });
};

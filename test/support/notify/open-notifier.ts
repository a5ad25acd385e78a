import { createMasker, type Masker } from '../../../src/access/mask.ts';
import { readSink } from '../../../src/app/state/read-sink.ts';
import type { SinkTable } from '../../../src/core/ports/notify.ts';
import { createNetwork, type Network } from '../../../src/lib/net/network.ts';
import { memoryStore } from '../../../src/services/engine/memory/memory-store.ts';
import type { Store } from '../../../src/services/engine/port.ts';
import { createLog } from '../../../src/services/log/log.ts';
import { createNotifier, type Notifier, type NotifierParts } from '../../../src/services/notify/notifier.ts';
import { type Certificates, makeCertificates } from '../net/certificates.ts';
import { type Answer, openReceiver, type Receiver } from '../net/receiver.ts';

/** Names that receivers of tests have certificates for. */
const NAMES = [
  'hook.example',
  'other.example',
  'hooks.slack.com',
  'discord.com',
  'tenant.webhook.office.com',
  'api.telegram.org',
  'events.pagerduty.com',
  'events.eu.pagerduty.com',
];

/** Certificates for every receiver of a test file. */
export const sinkCertificates = (): Certificates => makeCertificates(NAMES);

/** A notifier whose messages end at a receiver of this machine, under a clock that the test moves. */
export interface TestNotifier extends AsyncDisposable {
  readonly notifier: Notifier;
  readonly receiver: Receiver;
  readonly store: Store;
  readonly masker: Masker;
  readonly lines: readonly string[];
  /** What was counted: sink and result. */
  readonly counted: readonly string[];
  /** The bodies that were received, read as JSON. */
  bodies(): unknown[];
  /** Moves the clock, lets the timer ring that is due then, and waits until all is sent. */
  pass(seconds: number): Promise<void>;
  /** Another notifier on the same store, as after a restart. */
  restarted(): Notifier;
}

export interface TestNotifierOptions {
  readonly certificates: Certificates;
  readonly sinks?: readonly object[];
  readonly answer?: Answer;
  readonly startAt?: string;
  readonly secrets?: Readonly<Record<string, string>>;
  readonly store?: Store;
  /** The addresses of every name; a public one unless said. */
  readonly addresses?: readonly string[];
  readonly parts?: Partial<NotifierParts>;
}

/** Opens a notifier for one test. */
export const openNotifier = async ({
  certificates,
  sinks = [],
  answer,
  startAt = '2026-03-02T12:00:00Z',
  secrets = {},
  addresses = ['93.184.216.34'],
  parts,
  ...options
}: TestNotifierOptions): Promise<TestNotifier> => {
  const receiver = await openReceiver(certificates, answer);
  let now = Date.parse(startAt);
  let timer: { readonly at: number; work(): void } | undefined;
  const store = options.store ?? memoryStore({ now: () => now });
  const clock = { now: () => now, monotonic: () => now };
  const masker = createMasker();
  const lines: string[] = [];
  const counted: string[] = [];
  const outside = createNetwork({ lookup: async () => addresses, dial: receiver.dial });
  const network: Network = { ...outside, openHttp: (given) => outside.openHttp({ ...given, ca: certificates.ca }) };
  const tables: SinkTable[] = [];
  for (const sink of sinks) tables.push(await readSink(sink));
  const open = () =>
    createNotifier({
      sinks: tables,
      store,
      clock,
      log: createLog({ level: 'info', format: 'json', clock, masker, write: (line) => lines.push(line) }),
      network,
      masker,
      readSink,
      resolveSecret: async (text) => text.replace(/\$\{env:([^}]+)\}/g, (_, name: string) => secrets[name] ?? ''),
      meters: { notified: (sink, result) => void counted.push(`${sink} ${result}`) },
      setTimer(work, ms) {
        const mine = { at: now + ms, work };
        timer = mine;
        return () => {
          if (timer === mine) timer = undefined;
        };
      },
      ...parts,
    });
  const notifier = open();
  return {
    notifier,
    receiver,
    store,
    masker,
    lines,
    counted,
    bodies: () => receiver.requests.map(({ body }) => JSON.parse(body)),
    async pass(seconds) {
      const end = now + seconds * 1000;
      while (timer !== undefined && timer.at <= end) {
        const { at, work } = timer;
        now = Math.max(now, at);
        timer = undefined;
        work();
        // The next timer is set once everything that was due is done with.
        while (timer === undefined) await new Promise((done) => setImmediate(done));
      }
      now = end;
    },
    restarted: open,
    async [Symbol.asyncDispose]() {
      await notifier.close();
      await receiver[Symbol.asyncDispose]();
      await store.close();
    },
  };
};

/** A webhook of the test's receiver. */
export const hook = (name: string, more: object = {}) => ({ type: 'webhook', name, url: `https://hook.example/${name}`, ...more });

export const ERROR = { subject: 'broken', body: 'it broke', level: 'error' } as const;

/** Answers by the last part of the path: `/500` gives the status 500. */
export const byPath: NonNullable<TestNotifierOptions['answer']> = ({ url }, response) =>
  response.writeHead(Number(url.split('/').at(-1)) || 200).end('no thanks');

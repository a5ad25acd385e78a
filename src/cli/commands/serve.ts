import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { callersOf } from '../../app/callers/callers.ts';
import { type Config, type DeepPartial, type LoadedConfig, loadConfig } from '../../app/config/load-config.ts';
import { serviceOptionsOf } from '../../app/configured.ts';
import { followFile } from '../../app/reload/follow-file.ts';
import { openService, type Service, type ServiceOptions } from '../../app/serve/serve.ts';
import { openServing } from '../../app/serve/serving.ts';
import { surviveStrayFaults } from '../../app/serve/stray-faults.ts';
import { FileAccessException } from '../../core/errors.ts';
import type { Cli, CliCommand } from '../cli.ts';
import { addConfigOption } from '../config-option.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { usageFault } from '../faults.ts';
import { addExamples } from '../parser.ts';
import { watchForInterrupt } from '../terminal/interrupt.ts';
import { warn } from '../terminal/warn.ts';

interface ServeFlags {
  readonly host?: string;
  readonly port?: number;
  readonly tcpPort?: number;
  readonly tcp?: boolean;
  readonly sharedSecret?: string;
  readonly secretFile?: string;
  readonly allowNonLoopback?: boolean;
  readonly insecureNoAuth?: boolean;
  readonly config?: string;
}

/** A command that opens doors: all of them, or the one it is named after. */
interface DoorCommand {
  readonly name: string;
  readonly about: string;
  /** The door that `--host` and `--port` speak of. */
  readonly section: 'http' | 'tcp' | 'metrics';
  /** Opens no other. */
  readonly alone: boolean;
  readonly examples: readonly (readonly [string, string])[];
}

const doorCommand = ({ name, about, section, alone, examples }: DoorCommand): CliCommand =>
  defineCommand({
    name,
    describe(parser) {
      parser
        .description(about)
        .option('--host <address>', 'The address to listen on; others than loopback need --allow-non-loopback and a secret.')
        .option('--port <n>', 'The port to listen on; 0 takes any that is free.', portNumber);
      if (!alone) parser.option('--tcp-port <n>', 'The port of the TCP door.', portNumber).option('--no-tcp', 'Open no TCP door.');
      parser
        .option('--shared-secret <secret>', "The owner's secret; other users of this machine can see it here, so prefer --secret-file.")
        .option('--secret-file <file>', "A file with the owner's secret.")
        .option('--allow-non-loopback', 'Let the door be reachable from other machines.')
        .option('--insecure-no-auth', 'Do so even without a secret.');
      addConfigOption(parser);
      addExamples(parser, examples);
    },
    async run(cli, parser) {
      const flags = parser.opts<ServeFlags>();
      let onHangUp = () => {};
      // First, so that it is the last to go: whoever asks twice while the service stops wants it gone at once.
      using interrupt = watchForInterrupt(cli.err, meansReload(cli) ? () => onHangUp() : undefined);
      const secrets = new Set<string>();
      let learn = (secret: string): void => void secrets.add(secret);
      const read = (path = flags.config) =>
        loadConfig({
          path,
          env: cli.env,
          cwd: process.cwd(),
          flags: configOf(flags, { section, alone }),
          secretFiles: flags.secretFile === undefined ? [] : [flags.secretFile],
          learn: (secret) => learn(secret),
        });
      const loaded = await read();
      if (flags.sharedSecret !== undefined) cli.err.line(`${cli.symbols.warn} ${SEEN_BY_ALL}`);
      for (const warning of loaded.warnings()) cli.err.line(`${cli.symbols.warn} ${warning}`);
      const doorsOf = async (config: LoadedConfig) => {
        const all = await serviceOptionsOf(config);
        return alone && section !== 'metrics' ? withoutOwnMetrics(all) : all;
      };
      const options = await doorsOf(loaded);
      // Whoever is stopped while it starts goes no further.
      if (interrupt.signal.aborted) return EXIT.ok;
      const log = { ...(cli.debug && { level: 'debug' as const }), write: cli.err.line };
      await using serving = await openServing(loaded, { env: cli.env, log, callers: callersOf(options), read: () => read(loaded.path) });
      const { factotum, runs, trouble, reload } = serving;
      using _alive = surviveStrayFaults(factotum);
      learn = factotum.masker.learn;
      for (const secret of secrets) learn(secret);
      if (interrupt.signal.aborted) return EXIT.ok;
      await using service = await openService(factotum, { ...options, runs, trouble });
      reload.join({ prepare: async (next) => service.prepare(await doorsOf(next)) });
      await using _watch = followFile(reload);
      onHangUp = () => void reload.now().catch(() => {});
      if (!interrupt.signal.aborted) {
        try {
          introduce(cli, service, { options, path: loaded.path });
        } catch (fault) {
          if (!(fault instanceof FileAccessException)) throw fault;
          warn(cli, 'Standard output cannot be written, so the addresses of the doors are not told; the service goes on.');
        }
        await once(interrupt.signal, 'abort');
      }
      await Promise.all([service.close(), serving.drain({ drainMs: service.drainMs })]); // at the same time, for both have the same deadline
      return EXIT.ok;
    },
  });

/** `factotum serve`. */
export const serve = doorCommand({
  name: 'serve',
  about: 'Takes lists over HTTP, TCP and MCP until Ctrl-C, as factotum.toml says.',
  section: 'http',
  alone: false,
  examples: [
    ['factotum serve', 'on this machine only'],
    ['factotum serve --port 8080 --secret-file ~/.factotum-secret', 'who does not know the secret may do nothing'],
  ],
});

/** `factotum http-server`. */
export const httpServer = doorCommand({
  name: 'http-server',
  about: 'Takes lists over HTTP until Ctrl-C; serve with that door alone.',
  section: 'http',
  alone: true,
  examples: [['factotum http-server --port 8080', 'then send lists to POST /actions there']],
});

/** `factotum server`. */
export const tcpServer = doorCommand({
  name: 'server',
  about: 'Takes lists over TCP until Ctrl-C; serve with that door alone.',
  section: 'tcp',
  alone: true,
  examples: [['factotum server --port 9000', 'then send lists there, one line of answer for each']],
});

/** `factotum metrics`. */
export const metricsServer = doorCommand({
  name: 'metrics',
  about: 'Serves metrics until Ctrl-C; serve with that door alone.',
  section: 'metrics',
  alone: true,
  examples: [['factotum metrics --port 9100', 'then let the collector ask for /metrics there']],
});

/** A service that nobody sits before reads its configuration again when it gets SIGHUP; elsewhere that means a closed terminal. */
const meansReload = ({ out, err }: Cli): boolean => process.platform !== 'win32' && !out.isTerminal && !err.isTerminal;

const SEEN_BY_ALL =
  'Every user of this machine can read the secret after --shared-secret in the list of processes; use --secret-file, or FACTOTUM_SHARED_SECRET.';

const portNumber = (text: string): number => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('Give a port from 0 to 65535; 0 takes any that is free.');
  return port;
};

/** What the command and its flags say, in the words of the configuration: they are stronger than the file, so each of them counts. */
const configOf = (flags: ServeFlags, { section, alone }: Pick<DoorCommand, 'section' | 'alone'>): DeepPartial<Config> => {
  const secret = flags.sharedSecret ?? secretIn(flags.secretFile);
  const general = {
    ...(secret !== undefined && { shared_secret: secret }),
    ...(flags.allowNonLoopback === true && { allow_non_loopback: true }),
  };
  const isAskedFor = alone || flags.host !== undefined || flags.port !== undefined;
  const place = {
    ...general,
    ...(isAskedFor && { enabled: true }),
    ...(flags.host !== undefined && { host: flags.host }),
    ...(flags.port !== undefined && { port: flags.port }),
  };
  const tcp = {
    ...(flags.tcpPort !== undefined && { enabled: true, port: flags.tcpPort }),
    ...(flags.tcp === false && { enabled: false }),
  };
  return {
    ...(alone && CLOSED),
    ...(section === 'http' && { http: place, ...(Object.keys(tcp).length > 0 && { tcp }) }),
    ...(section === 'tcp' && { tcp: place }),
    ...(section === 'metrics' && { metrics: { ...place, own_port: true } }),
    server: { ...general, ...(flags.insecureNoAuth === true && { insecure_no_auth: true }) },
  };
};

/** All doors but the one that a command is named after. */
const CLOSED = { http: { enabled: false }, tcp: { enabled: false }, mcp: { enabled: false } } as const;

const secretIn = (file: string | undefined): string | undefined => {
  if (file === undefined) return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8').trim();
  } catch {
    throw usageFault(`The secret file ${file} cannot be read; check the path.`, 'factotum serve --help');
  }
  if (text === '') throw usageFault(`The secret file ${file} is empty; write the secret into it.`, 'factotum serve --help');
  return text;
};

/** Metrics may be a guest at a door that is opened alone; a port of their own would be a second one. */
const withoutOwnMetrics = (options: ServiceOptions): ServiceOptions => ({ ...options, metrics: options.metrics === true });

const introduce = (
  { out, err, symbols }: Cli,
  { doors }: Service,
  { options, path }: { readonly options: ServiceOptions; readonly path: string | undefined },
): void => {
  if (path !== undefined) err.line(`Configured by ${path}.`);
  for (const { url } of doors) out.line(`Listening on ${url}`);
  const [http] = doors.filter(({ url }) => url.startsWith('http'));
  const places = [options.http, options.tcp, options.metrics].flatMap((place) => (typeof place === 'object' ? [place] : []));
  const isOpen = options.tokens?.length === 0 && places.some(({ sharedSecret }) => sharedSecret === undefined);
  if (isOpen) err.line(`${symbols.warn} No secret is set: every user of this machine may run actions as you.`);
  if (http === undefined) return;
  const secret = isOpen ? '' : " -H 'Authorization: Bearer <secret>'";
  const list = options.http === false ? '' : ` -H 'Content-Type: application/json' -d '[["FA_list_dir"]]'`;
  out.line(`Try: curl ${http.url}/${list === '' ? 'metrics' : 'actions'}${secret}${list}`);
};

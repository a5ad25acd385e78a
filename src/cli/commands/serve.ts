import { once } from 'node:events';
import { InvalidArgumentError } from 'commander';
import { createFactotum } from '../../app/create.ts';
import { openService } from '../../app/serve.ts';
import { defineCommand } from '../define-command.ts';
import { EXIT } from '../exit-code.ts';
import { watchForInterrupt } from '../interrupt.ts';
import { addExamples } from '../parser.ts';

const DEFAULT_PORT = 9944;

const portNumber = (text: string): number => {
  const port = Number(text);
  if (!/^\d{1,5}$/.test(text) || port > 65_535) throw new InvalidArgumentError('Give a port from 0 to 65535; 0 takes any that is free.');
  return port;
};

/** `factotum serve`. */
export const serve = defineCommand({
  name: 'serve',
  describe(parser) {
    parser
      .description('Takes lists over HTTP on this machine until Ctrl-C. Every user of this machine may run actions as you.')
      .option('--port <n>', 'Where to listen.', portNumber, DEFAULT_PORT);
    addExamples(parser, [['factotum serve --port 8080', 'then send lists to POST /actions there']]);
  },
  async run(cli, parser) {
    const { port } = parser.opts<{ port: number }>();
    await using factotum = createFactotum({ log: { level: cli.debug ? 'debug' : 'warn', write: cli.err.line } });
    await using service = await openService(factotum, { http: { port }, demandSecret: true });
    const { url } = service.http;
    using interrupt = watchForInterrupt(cli.err);
    cli.out.line(`Listening on ${url} for this machine only. Every local user may run actions as you; stop it with Ctrl-C.`);
    cli.out.line(`Try: curl ${url}/actions -H 'Content-Type: application/json' -d '[["FA_list_dir"]]'`);
    await once(interrupt.signal, 'abort');
    return EXIT.ok;
  },
});

import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { FtpSettings } from '../../src/storage/backends/ftp/settings.ts';

/** What a server of a test says to a command; nothing where it stays silent. `data` is what it sends by the port that it opened last. */
export type FtpAnswer = string | { readonly reply: string; readonly data?: string | Buffer; readonly last?: string } | undefined;

/** A server that speaks FTP as it is told; what is left out is answered as usual. */
export interface FtpServer extends AsyncDisposable {
  readonly settings: FtpSettings;
  /** The commands that came. */
  readonly heard: string[];
}

export interface FtpBehaviour {
  readonly greeting?: string;
  readonly answer?: (command: string, argument: string) => FtpAnswer;
}

const USUAL: Readonly<Record<string, string>> = {
  USER: '331 password',
  PASS: '230 welcome',
  FEAT: '211-Features:\r\n UTF8\r\n MLST type*;size*;modify*;\r\n MFMT\r\n211 End',
  OPTS: '200 ok',
  TYPE: '200 ok',
  PWD: '257 "/" is it',
  NOOP: '200 ok',
};

export const openFtpServer = async ({ greeting = '220 hello', answer = () => undefined }: FtpBehaviour): Promise<FtpServer> => {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const hold = (socket: Socket): Socket => {
    sockets.add(socket.on('error', () => {}));
    return socket;
  };
  const server = createServer((control) => {
    hold(control).write(`${greeting}\r\n`);
    let waiting: Promise<Socket> | undefined;
    const passive = createServer();
    control.once('close', () => passive.close());
    const open = async (): Promise<string> => {
      if (!passive.listening) await once(passive.listen(0, '127.0.0.1'), 'listening');
      waiting = once(passive, 'connection').then(([socket]) => hold(socket));
      return `229 here (|||${(passive.address() as AddressInfo).port}|)`;
    };
    let rest = '';
    control.setEncoding('utf8').on('data', async (text: string) => {
      const lines = `${rest}${text}`.split('\r\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        heard.push(line);
        const [, command = '', argument = ''] = /^(\S+) ?(.*)$/.exec(line) ?? [];
        const said = answer(command, argument) ?? (command === 'EPSV' ? await open() : USUAL[command]);
        if (said === undefined) continue;
        if (typeof said === 'string') control.write(`${said}\r\n`);
        else {
          control.write(`${said.reply}\r\n`);
          const data = await waiting;
          data?.end(said.data ?? '');
          if (said.last !== undefined) control.write(`${said.last}\r\n`);
        }
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo; // it listens on TCP
  return {
    heard,
    settings: { host: '127.0.0.1', port, username: 'anybody', password: 'top-secret', timeout: 5 },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};

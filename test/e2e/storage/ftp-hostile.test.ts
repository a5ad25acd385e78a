import { once, setMaxListeners } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { afterAll, describe, expect, test } from 'vitest';
import { FTPException } from '../../../src/core/errors.ts';
import type { Storage } from '../../../src/core/storage.ts';
import type { FtpSettings } from '../../../src/storage/backends/ftp/settings.ts';
import { code, everything, outgoing, textOf } from '../../contract/storage-samples.ts';
import { ftpSettings, openTestFtp } from '../../support/ftp.ts';
import { type FtpBehaviour, openFtpServer } from '../../support/ftp-server.ts';
import { describePeer } from '../../support/peers.ts';

const { signal } = new AbortController();
setMaxListeners(0, signal);
const FILE = '250-here\r\n type=file;size=5;modify=20200203040506; x\r\n250 End';

const faultOf = async (work: Promise<unknown>): Promise<FTPException> => {
  const fault = await work.then(
    () => undefined,
    (each: unknown) => each,
  );
  expect(fault).toBeInstanceOf(FTPException);
  expect(`${JSON.stringify(fault)} ${String((fault as Error).cause)}`).not.toMatch(/top-secret|fapeer-pw/);
  return fault as FTPException; // just looked at
};
const against = async (behaviour: FtpBehaviour, work: (storage: Storage) => Promise<unknown>, given: Partial<FtpSettings> = {}) => {
  await using server = await openFtpServer(behaviour);
  await using storage = openTestFtp({ ...server.settings, ...given });
  return await work(storage);
};
const listing = (data: string, features?: string): FtpBehaviour => ({
  answer: (command) => {
    if (command === 'FEAT' && features !== undefined) return features;
    if (command === 'LIST' || command === 'MLSD') return { reply: '150 comes', data, last: '226 done' };
    return undefined;
  },
});
const list = (storage: Storage, deep = false) => everything(storage.list('', { signal, deep }));
const reading = (data: string, last: string): FtpBehaviour => ({
  answer: (command) => (command === 'MLST' ? FILE : command === 'RETR' ? { reply: '150 comes', data, last } : undefined),
});
const read = async (storage: Storage) => textOf(await storage.read('x', { signal }));

describe('a server that answers wrongly', () => {
  test.each(['type=file;size=1; ../up', 'type=file;size=1; /etc/passwd', 'type=file;size=1; a/b', 'type=file;size=1; '])(
    'with the entry %j is not believed',
    async (line) => {
      expect(await faultOf(against(listing(`${line}\r\n`), list))).toMatchObject({ context: { code: 'broken' }, retryable: false });
    },
  );

  test('has . and .. and control characters left out', async () => {
    const lines = ['type=cdir; .', 'type=dir; ..', 'type=file;size=1; a\u0007b', 'type=file;size=1; good'].join('\r\n');
    expect(await against(listing(`${lines}\r\n`), list)).toEqual(['good']);
  });

  test('with directories without end comes to one', async () => {
    expect((await faultOf(against(listing('type=dir; deeper\r\n'), (storage) => list(storage, true)))).message).toMatch(/deeper than 200/);
  });

  test('with directories inside themselves has them walked once', async () => {
    expect(await against(listing('type=dir;unique=7; again\r\n'), (storage) => list(storage, true))).toEqual(['again/', 'again/again/']);
  });

  test.each([
    ['of a DOS', '02-03-20  04:05AM       <DIR>          dir\r\n02-03-20  04:05AM                   12 file.txt\r\n', ['dir/', 'file.txt']],
    ['of EPLF', '+i1,/,\tdir\r\n+i2,r,s12,\tfile.txt\r\n', ['dir/', 'file.txt']],
  ])('without MLSD lists in the manner %s', async (_what, data, expected) => {
    expect(await against(listing(data, '500 unknown'), list)).toEqual(expected);
  });

  test('of VMS is refused', async () => {
    expect(await faultOf(against(listing('A.TXT;1  1/3  29-JAN-1996\r\n', '500 unknown'), list))).toMatchObject({
      context: { code: 'unsupported' },
    });
  });

  test.each<[string, string, string, string]>([
    ['fewer bytes than it told, and success', 'abc', '226 done', 'broken'],
    ['a broken transfer', 'abc', '426 broken', 'broken'],
    ['a local error', '', '451 disk', 'broken'],
  ])('with %s does not pass for a file', async (_what, data, last, expected) => {
    expect(await faultOf(against(reading(data, last), read))).toMatchObject({ context: { code: expected }, retryable: true });
  });

  test('with more bytes than it told is read as far as it told', async () => {
    expect(await against(reading('abcdefgh'.repeat(10_000), '226 done'), read)).toBe('abcde');
  });

  test.each<[string, string]>([
    ['552 no room', 'out_of_space'],
    ['452 no room', 'out_of_space'],
    ['550 Disk quota exceeded', 'out_of_space'],
    ['553 not that name', 'denied'],
    ['421 closing', 'busy'],
  ])('with %s to a write', async (last, expected) => {
    const behaviour: FtpBehaviour = {
      answer: (command) => (command === 'STOR' ? { reply: '150 go', last } : command === 'DELE' ? '250 ok' : undefined),
    };
    expect(await faultOf(against(behaviour, (storage) => storage.write('x', outgoing('hello'), { signal })))).toMatchObject({
      context: { code: expected },
    });
  });

  test('that cannot replace by renaming has the old file removed first', async () => {
    const seen: string[] = [];
    let isThere = true;
    const behaviour: FtpBehaviour = {
      answer: (command, argument) => {
        if (command === 'STOR') return { reply: '150 go', last: '226 done' };
        if (command === 'MLST') return FILE;
        if (command === 'RNFR') return '350 go on';
        if (command !== 'RNTO' && command !== 'DELE') return undefined;
        seen.push(`${command} ${argument}`);
        if (command === 'RNTO') return isThere ? '550 exists' : '250 done';
        isThere = false;
        return '250 done';
      },
    };
    await against(behaviour, (storage) => storage.write('x', outgoing('hello'), { signal }));
    expect(seen).toEqual(['RNTO x', 'DELE x', 'RNTO x']);
  });

  test('names another machine for data: it is not gone to', async () => {
    const strangers: Socket[] = [];
    const stranger = createServer((socket) => void strangers.push(socket)).listen(0, '127.0.0.2');
    await once(stranger, 'listening');
    const { port } = stranger.address() as AddressInfo;
    const pasv = `227 here (127,0,0,2,${port >> 8},${port & 255})`;
    const behaviour: FtpBehaviour = { answer: (command) => (command === 'EPSV' ? '502 no' : command === 'PASV' ? pasv : undefined) };
    expect(await faultOf(against(behaviour, list))).toMatchObject({ context: { code: 'unreachable' } });
    expect(strangers).toEqual([]);
    stranger.close();
  });

  test('with silence is given up after the time that it has', async () => {
    const behaviour: FtpBehaviour = { answer: (command) => (command === 'MLST' ? { reply: '150 hm' } : undefined) };
    expect(await faultOf(against(behaviour, (storage) => storage.stat('x', { signal }), { timeout: 1 }))).toMatchObject({
      context: { code: 'broken' },
      retryable: true,
    });
  });

  test('with silence leaves whoever cancels alone', async () => {
    const controller = new AbortController();
    const behaviour: FtpBehaviour = {
      answer: (command) => {
        if (command === 'MLST') controller.abort(new Error('enough'));
        return command === 'MLST' ? { reply: '150 hm' } : undefined;
      },
    };
    await expect(against(behaviour, (storage) => storage.stat('x', { signal: controller.signal }))).rejects.toThrow('enough');
  });

  test('that ends idle connections is connected to again', async () => {
    let count = 0;
    const behaviour: FtpBehaviour = {
      answer: (command) => {
        if (command !== 'MLST') return undefined;
        count += 1;
        return count === 1 ? `${FILE}\r\n421 idle too long` : FILE;
      },
    };
    await against(behaviour, async (storage) => {
      expect(await storage.stat('x', { signal })).toMatchObject({ bytes: 5 });
      expect(await storage.stat('x', { signal }).catch(() => storage.stat('x', { signal }))).toMatchObject({ bytes: 5 });
    });
  });

  test('never hears a second command in a name', async () => {
    await using server = await openFtpServer({});
    await using storage = openTestFtp(server.settings);
    for (const path of ['a\r\nDELE b', 'a\nDELE b', 'a\0b']) {
      await expect((async () => storage.stat(path, { signal }))()).rejects.toEqual(code('bad_name'));
      await expect(storage.write(path, outgoing('x'), { signal })).rejects.toEqual(code('bad_name'));
    }
    expect(server.heard.filter((line) => line.startsWith('DELE'))).toEqual([]);
  });

  test('that echoes the password is not quoted', async () => {
    const behaviour: FtpBehaviour = { answer: (command, argument) => (command === 'PASS' ? `530 ${argument} is wrong` : undefined) };
    expect((await faultOf(against(behaviour, list))).message).toContain('*** is wrong');
  });

  test('that takes one connection only has the others wait', async () => {
    let isTaken = false;
    const behaviour: FtpBehaviour = {
      answer: (command) => {
        if (command === 'MLST') return FILE;
        if (command !== 'PASS') return undefined;
        if (isTaken) return '421 Too many connections';
        isTaken = true;
        return '230 welcome';
      },
    };
    const found = await against(behaviour, (storage) => Promise.all(Array.from({ length: 6 }, () => storage.stat('x', { signal }))));
    expect(found).toHaveLength(6);
  });
});

test('active mode is refused', () => {
  expect(() => openTestFtp({ host: 'x', passive: false })).toThrow(/Active FTP/);
});

describe('a port where something else listens', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['closes at once', (socket) => socket.end()],
    ['says nothing', () => {}],
    ['speaks SSH', (socket) => socket.write('SSH-2.0-x\r\n')],
    ['is full', (socket) => socket.end('421 too many\r\n')],
    ['sends a line without end', (socket) => void flood(socket)],
    ['sends an answer without end', (socket) => socket.write(`220-x\r\n${'y\r\n'.repeat(100_000)}`)],
  ])('%s', async (_what, behave) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      behave(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    await using storage = openTestFtp({ host: '127.0.0.1', port: (server.address() as AddressInfo).port, timeout: 1 });
    const fault = await faultOf(storage.stat('x', { signal }));
    expect(['unreachable', 'broken', 'busy']).toContain(fault.context.code);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

/** As fast as it is taken. */
const flood = (socket: Socket): void => {
  while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 0x61)));
  socket.once('drain', () => flood(socket));
};

describePeer('proftpd', 'tls', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());
  const refused = (given: Partial<FtpSettings>) =>
    faultOf(
      (async () => {
        await using storage = openTestFtp(ftpSettings(peer, 'tls', given));
        return await storage.stat('x', { signal });
      })(),
    );

  test('a certificate of an authority that nobody knows is refused', async () => {
    const fault = await refused({ ca: undefined });
    expect(fault.message).toMatch(/certificate of 127.0.0.1 is not to be trusted .*ca_file/);
    expect(fault).toMatchObject({ context: { code: 'denied', reason: 'certificate' }, retryable: false });
  });

  test('it is taken where the owner has said so', async () => {
    await using storage = openTestFtp(ftpSettings(peer, 'tls', { ca: undefined, verify_tls: false }));
    await storage.write('unverified', outgoing('x'), { signal });
    expect(await textOf(await storage.read('unverified', { signal }))).toBe('x');
  });

  test('a server that demands encryption refuses a login without, and the remedy is told', async () => {
    expect((await refused({ tls: false })).message).toMatch(/set tls = true/);
  });

  test('a wrong password is refused', async () => {
    expect(await refused({ password: 'wrong' })).toMatchObject({
      context: { code: 'denied', reason: 'login', server_code: '530' },
      retryable: false,
    });
  });
});

describePeer('proftpd', 'plain', async (open) => {
  const peer = await open();
  afterAll(() => peer[Symbol.asyncDispose]());
  test('a server without encryption is refused where some is wanted, never spoken with in the open', async () => {
    await using storage = openTestFtp(ftpSettings(peer, 'plain', { tls: true }));
    expect(await faultOf(storage.stat('x', { signal }))).toMatchObject({ context: { code: 'unsupported' } });
  });
});

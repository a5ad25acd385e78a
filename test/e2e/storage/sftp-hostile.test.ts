import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { SFTPWrapper } from 'ssh2';
import { describe, expect, test } from 'vitest';
import { SFTPException } from '../../../src/core/errors.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { everything, outgoing } from '../../contract/storage-samples.ts';
import { openTestSftp } from '../../support/sftp.ts';
import { openSshServer, type SshBehaviour } from '../../support/ssh-server.ts';

const { signal } = new AbortController();
const FILE = { mode: 0o100644, uid: 0, gid: 0, size: 1_000_000, atime: 1, mtime: 1 };
const DIR = { ...FILE, mode: 0o040755 };
const [OK, EOF, FAILURE] = [0, 1, 4];

const faultOf = async (work: Promise<unknown>): Promise<SFTPException> => {
  const fault = await work.then(
    () => undefined,
    (each: unknown) => each,
  );
  expect(fault).toBeInstanceOf(SFTPException);
  return fault as SFTPException; // just looked at
};
const against = async (behaviour: SshBehaviour, work: (storage: Storage) => Promise<unknown>, timeout = 5) => {
  await using server = await openSshServer(behaviour);
  await using storage = openTestSftp({ ...server.settings, timeout });
  return await work(storage);
};
const spoken = (answers: (stream: SFTPWrapper) => void): SshBehaviour => ({ sftp: answers });
const drain = async (storage: Storage, path: string) => {
  let bytes = 0;
  for await (const chunk of await storage.read(path, { signal })) bytes += chunk.byteLength;
  return bytes;
};
/** Lists these names, then no more. */
const listing = (names: readonly string[], attrs = FILE) =>
  spoken((stream) => {
    let isTold = false;
    stream
      .on('OPENDIR', (id) => {
        isTold = false;
        stream.handle(id, Buffer.from('d'));
      })
      .on('READDIR', (id) => {
        if (isTold) return stream.status(id, EOF);
        isTold = true;
        return stream.name(
          id,
          names.map((filename) => ({ filename, longname: filename, attrs })),
        );
      })
      .on('CLOSE', (id) => stream.status(id, OK));
  });

describe('a server that answers wrongly', () => {
  test.each([['../up'], ['/etc/passwd'], ['a/b'], ['nul\0'], ['']])('with the name %j in a list is not believed', async (name) => {
    const fault = await faultOf(against(listing([name, 'good']), (storage) => everything(storage.list('', { signal }))));
    expect(fault).toMatchObject({ context: { code: 'broken' }, retryable: false });
  });

  test('has . and .. and names with control characters left out', async () => {
    expect(await against(listing(['.', '..', 'line\nbreak', 'good']), (storage) => everything(storage.list('', { signal })))).toEqual([
      'good',
    ]);
  });

  test('with directories without end comes to one', async () => {
    const fault = await faultOf(against(listing(['deeper'], DIR), (storage) => everything(storage.list('', { signal, deep: true }))));
    expect(fault.message).toMatch(/deeper than 200/);
  });

  test('with another kind of answer loses the connection', async () => {
    const behaviour = spoken((stream) => stream.on('STAT', (id) => stream.handle(id, Buffer.from('no attributes'))));
    expect((await faultOf(against(behaviour, (storage) => storage.stat('x', { signal })))).message).toMatch(/belongs to another request/);
  });

  test('with success instead of a handle loses the connection', async () => {
    const behaviour = spoken((stream) => stream.on('STAT', (id) => stream.attrs(id, FILE)).on('OPEN', (id) => stream.status(id, OK)));
    expect(await faultOf(against(behaviour, (storage) => storage.read('x', { signal })))).toMatchObject({ context: { code: 'broken' } });
  });

  test('with fewer bytes than it told has the file called changed', async () => {
    const behaviour = spoken((stream) =>
      stream
        .on('STAT', (id) => stream.attrs(id, FILE))
        .on('OPEN', (id) => stream.handle(id, Buffer.from('f')))
        .on('READ', (id, _handle, offset) => (offset === 0 ? stream.data(id, Buffer.alloc(100)) : stream.status(id, EOF)))
        .on('CLOSE', (id) => stream.status(id, OK)),
    );
    expect(await faultOf(against(behaviour, (storage) => drain(storage, 'x')))).toMatchObject({ context: { code: 'changed' } });
  });

  test('with pieces of what was asked for is read whole', async () => {
    const behaviour = spoken((stream) =>
      stream
        .on('STAT', (id) => stream.attrs(id, FILE))
        .on('OPEN', (id) => stream.handle(id, Buffer.from('f')))
        .on('READ', (id, _handle, _offset, length) => stream.data(id, Buffer.alloc(Math.min(length, 7001))))
        .on('CLOSE', (id) => stream.status(id, OK)),
    );
    expect(await against(behaviour, (storage) => drain(storage, 'x'))).toBe(1_000_000);
  });

  test('with a length that no file has is read as far as anything comes', async () => {
    const behaviour = spoken((stream) =>
      stream
        .on('STAT', (id) => stream.attrs(id, { ...FILE, size: 2 ** 50 }))
        .on('OPEN', (id) => stream.handle(id, Buffer.from('f')))
        .on('READ', (id) => stream.status(id, EOF))
        .on('CLOSE', (id) => stream.status(id, OK)),
    );
    expect(await faultOf(against(behaviour, (storage) => drain(storage, 'x')))).toMatchObject({ context: { code: 'changed' } });
  });

  test('with fewer bytes held than were sent has the file given up', async () => {
    const removed: string[] = [];
    const behaviour = spoken((stream) =>
      stream
        .on('OPEN', (id) => stream.handle(id, Buffer.from('f')))
        .on('WRITE', (id) => stream.status(id, OK))
        .on('FSTAT', (id) => stream.attrs(id, { ...FILE, size: 3 }))
        .on('CLOSE', (id) => stream.status(id, OK))
        .on('REMOVE', (id, path) => {
          removed.push(path);
          stream.status(id, OK);
        }),
    );
    const fault = await faultOf(against(behaviour, (storage) => storage.write('x', outgoing('hello'), { signal })));
    expect(fault.message).toMatch(/3 bytes of 5/);
    expect(removed).toEqual([expect.stringMatching(/^\.[0-9a-f]{16}\.factotum-.*\.part$/)]);
  });

  test('without the renaming of OpenSSH is renamed over, the old file removed first', async () => {
    const seen: string[] = [];
    let isThere = true;
    const behaviour = spoken((stream) =>
      stream
        .on('OPEN', (id) => stream.handle(id, Buffer.from('f')))
        .on('WRITE', (id) => stream.status(id, OK))
        .on('FSTAT', (id) => stream.attrs(id, { ...FILE, size: 5 }))
        .on('STAT', (id) => stream.attrs(id, FILE))
        .on('CLOSE', (id) => stream.status(id, OK))
        .on('RENAME', (id, _from, to) => {
          seen.push(`rename ${to}`);
          stream.status(id, isThere ? FAILURE : OK);
        })
        .on('REMOVE', (id, path) => {
          seen.push(`remove ${path}`);
          isThere = false;
          stream.status(id, OK);
        }),
    );
    await against(behaviour, (storage) => storage.write('x', outgoing('hello'), { signal }));
    expect(seen).toEqual(['rename x', 'remove x', 'rename x']);
    const exclusive = against(behaviour, (storage) => storage.write('x', outgoing('hello'), { signal, exclusive: true }));
    expect(await faultOf(exclusive)).toMatchObject({ context: { code: 'unsupported' } });
  });

  test('with text where SFTP belongs is told so', async () => {
    const behaviour: SshBehaviour = { channel: (channel) => void channel.write('Welcome to the machine!\n') };
    expect((await faultOf(against(behaviour, (storage) => storage.stat('', { signal })))).message).toMatch(/SFTP|did not finish/);
  });

  test('with silence is given up after the time that it has', async () => {
    const fault = await faultOf(
      against(
        spoken((stream) => stream.on('STAT', () => {})),
        (storage) => storage.stat('x', { signal }),
        1,
      ),
    );
    expect(fault).toMatchObject({ context: { code: 'broken' }, retryable: true });
    expect(fault.message).toMatch(/no answer within 1 s/);
  });

  test('with silence leaves whoever cancels alone', async () => {
    const controller = new AbortController();
    const behaviour = spoken((stream) => stream.on('STAT', () => controller.abort(new Error('enough'))));
    await expect(against(behaviour, (storage) => storage.stat('x', { signal: controller.signal }))).rejects.toThrow('enough');
  });
});

describe('a port where something else listens', () => {
  test.each<[string, (socket: Socket) => void]>([
    ['closes at once', (socket) => socket.end()],
    ['says nothing', () => {}],
    ['speaks HTTP', (socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')],
    ['sends a line without end', (socket) => void flood(socket)],
    [
      'sends nonsense behind its greeting',
      (socket) => socket.write(Buffer.concat([Buffer.from('SSH-2.0-x\r\n'), Buffer.alloc(40_000, 0xff)])),
    ],
  ])('%s', async (_what, behave) => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket.on('error', () => {}));
      behave(socket);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    await using storage = openTestSftp({ host: '127.0.0.1', port, username: 'u', password: 'p', timeout: 1 });
    const fault = await faultOf(storage.stat('', { signal }));
    expect(['unreachable', 'broken']).toContain(fault.context.code);
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

/** As fast as it is taken. */
const flood = (socket: Socket): void => {
  while (!socket.destroyed && socket.write(Buffer.alloc(65_536, 0x61)));
  socket.once('drain', () => flood(socket));
};

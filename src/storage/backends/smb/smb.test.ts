import { describe, expect, test } from 'vitest';
import { textOf } from '../../../../test/contract/storage-samples.ts';
import {
  bodyWith,
  createFakeSmb,
  FAKE_CONTENT,
  FAKE_SETTINGS,
  framed,
  listEntry,
  outputBody,
  type SmbTwist,
} from '../../../../test/support/smb-server.ts';
import { SMBException } from '../../../core/errors.ts';
import type { Storage } from '../../../core/storage.ts';
import type { SmbSettings } from './settings.ts';
import { openSmb } from './smb.ts';
import { COMMAND } from './wire/header.ts';

const { signal } = new AbortController();

const openFake = (twist?: SmbTwist, given: Partial<SmbSettings> = {}): Storage =>
  openSmb({ ...FAKE_SETTINGS, ...given }, { location: 'smb:/', network: createFakeSmb(twist).network, rules: {}, clock: { now: () => 0 } });

/** Answers one command in another way; once, where a number says which time. */
const on =
  (command: keyof typeof COMMAND, reply: ReturnType<SmbTwist> | ((usual: Buffer) => ReturnType<SmbTwist>), nth?: number): SmbTwist =>
  (request, usual) => {
    if (request.command !== COMMAND[command] || (nth !== undefined && request.nth !== nth)) return undefined;
    return typeof reply === 'function' ? reply(Buffer.from(usual.body ?? Buffer.alloc(0))) : reply;
  };

const fault = async (
  twist: SmbTwist,
  work: (storage: Storage) => Promise<unknown>,
  given?: Partial<SmbSettings>,
): Promise<SMBException> => {
  const storage = openFake(twist, given);
  const found = await work(storage).then(
    () => 'it succeeded',
    (each: unknown) => each,
  );
  expect(found).toBeInstanceOf(SMBException);
  await storage[Symbol.asyncDispose]();
  return found as SMBException; // just looked at
};

const look = (storage: Storage) => storage.stat('a.txt', { signal });
const read = async (storage: Storage) => textOf(await storage.read('a.txt', { signal }));
const list = async (storage: Storage) => {
  const found: string[] = [];
  for await (const { path } of storage.list('', { signal })) found.push(path);
  return found;
};

test('a link is neither looked at nor read, and no other server is asked', async () => {
  const link = on('create', (body) => {
    body.writeUInt32LE(0x400, 56);
    return { body };
  });
  const tagged: SmbTwist = (request, usual) =>
    link(request, usual) ?? on('queryInfo', { body: outputBody(Buffer.from('000400000c0000a0', 'hex')) })(request, usual);
  expect(await fault(tagged, look)).toMatchObject({ context: { code: 'unsupported', server_code: 'STATUS_STOPPED_ON_SYMLINK' } });
  for (const [status, name] of [
    [0x8000_002d, 'STATUS_STOPPED_ON_SYMLINK'],
    [0xc000_0257, 'STATUS_PATH_NOT_COVERED'],
  ] as const)
    expect(await fault(on('create', { status, body: bodyWith(9, 9) }), read)).toMatchObject({
      context: { code: 'unsupported', server_code: name },
    });
});

describe('a line', () => {
  test.each<[string, Parameters<typeof on>[0]]>([
    ['before the login', 'negotiate'],
    ['during the login', 'sessionSetup'],
    ['before the share', 'treeConnect'],
    ['in the middle of work', 'create'],
  ])('that is cut %s is told, and opened again by the next call', async (_when, command) => {
    const storage = openFake(on(command, { instead: 'end' }, 0));
    await expect(look(storage)).rejects.toMatchObject({ context: { code: 'broken' }, retryable: true });
    expect(await look(storage)).toMatchObject({ kind: 'file' });
    await storage[Symbol.asyncDispose]();
  });

  test('that falls silent is given up', async () => {
    const found = await fault(on('create', { instead: 'silence' }), look, { connection_timeout: 0.02 });
    expect(found).toMatchObject({ message: expect.stringMatching(/did not answer within/), retryable: true });
  });

  test('that only ever promises is given up as well, though the server is there', async () => {
    const found = await fault(on('create', { status: 0x103, flags: 2, body: bodyWith(9, 9) }), look, { connection_timeout: 0.005 });
    expect(found.message).toMatch(/did not answer within/);
  });

  test('on which a session is forgotten is opened again', async () => {
    const storage = openFake(on('create', { status: 0xc000_0203, body: bodyWith(9, 9), signature: 'none' }, 0));
    await expect(look(storage)).rejects.toMatchObject({ context: { code: 'broken' }, retryable: true });
    expect(await look(storage)).toMatchObject({ kind: 'file' });
    await storage[Symbol.asyncDispose]();
  });

  test('is not waited for by whoever gives up, and what came open is closed', async () => {
    const controller = new AbortController();
    const { network, requests } = createFakeSmb(({ command }, usual) => {
      if (command === COMMAND.create) controller.abort(new Error('enough'));
      return usual;
    });
    const storage = openSmb(FAKE_SETTINGS, { location: 'smb:/', network, rules: {}, clock: { now: () => 0 } });
    await expect(storage.read('a.txt', { signal: controller.signal })).rejects.toThrow('enough');
    await storage[Symbol.asyncDispose]();
    expect(requests.filter(({ command }) => command === COMMAND.close)).toHaveLength(1);
  });
});

test('a server that behaves is believed', async () => {
  const storage = openFake();
  expect(await look(storage)).toMatchObject({ kind: 'file', bytes: FAKE_CONTENT.byteLength });
  expect(await read(storage)).toBe(FAKE_CONTENT.toString());
  expect(await list(storage)).toEqual(['a.txt']);
  await storage[Symbol.asyncDispose]();
});

describe('a server that is not safe', () => {
  const edited = (change: (body: Buffer) => unknown) => (body: Buffer) => {
    change(body);
    return { body };
  };

  test.each<[string, RegExp, SmbTwist]>([
    ['speaks SMB 1', /speaks only an old SMB/, on('negotiate', { raw: framed(Buffer.from('ff534d4272000000', 'hex')) })],
    [
      'speaks 2.0.2',
      /speaks only an old SMB/,
      on(
        'negotiate',
        edited((body) => body.writeUInt16LE(0x0202, 4)),
      ),
    ],
    [
      'agrees to a version that was not offered',
      /speaks only an old SMB/,
      on(
        'negotiate',
        edited((body) => body.writeUInt16LE(0x02ff, 4)),
      ),
    ],
    [
      'leaves out the digest of 3.1.1',
      /without the digest/,
      on(
        'negotiate',
        edited((body) => body.writeUInt16LE(2, 64)),
      ),
    ],
    [
      'chooses a digest that was not offered',
      /digest that was not offered/,
      on(
        'negotiate',
        edited((body) => body.writeUInt16LE(2, 76)),
      ),
    ],
    [
      'chooses a signature that was not offered',
      /not offered/,
      on(
        'negotiate',
        edited((body) => body.writeUInt16LE(7, 98)),
      ),
    ],
    ['takes no version', /refused every version/, on('negotiate', { status: 0xc000_00bb, body: bodyWith(9, 9) })],
    [
      'lets everybody in as a guest',
      /only as a guest/,
      on(
        'sessionSetup',
        edited((body) => body.writeUInt16LE(1, 2)),
        1,
      ),
    ],
    [
      'lets everybody in as nobody',
      /only as a guest/,
      on(
        'sessionSetup',
        edited((body) => body.writeUInt16LE(2, 2)),
        1,
      ),
    ],
    ['does not sign the login', /login that is not signed/, on('sessionSetup', (body) => ({ body, signature: 'none' }), 1)],
    ['does not know the password', /login whose signature is wrong/, on('sessionSetup', (body) => ({ body, signature: 'wrong' }), 1)],
    ['does not sign answers', /not signed/, on('create', (body) => ({ body, signature: 'none' }))],
    ['signs answers with another key', /signature is wrong/, on('create', (body) => ({ body, signature: 'wrong' }))],
    [
      'demands encryption without a cipher',
      /demand for encryption/,
      on(
        'sessionSetup',
        edited((body) => body.writeUInt16LE(4, 2)),
        1,
      ),
    ],
    [
      'is spoken to through somebody who changes its first answer',
      /signature is wrong/,
      on('negotiate', (body) => ({ body, tamper: (message) => void message.writeUInt8(3, 66) })),
    ],
    [
      'is spoken to through somebody who changes an answer',
      /signature is wrong/,
      on('create', (body) => ({ body, tamper: (message) => void message.writeUInt8(1, 112) })),
    ],
  ])('that %s is refused', async (_what, message, twist) => {
    const found = await fault(twist, look);
    expect(found.message).toMatch(message);
    expect(found.retryable).toBe(false);
    expect(JSON.stringify(found)).not.toContain('pw');
  });

  test('that cannot encrypt is refused where that is demanded', async () => {
    const found = await fault(() => undefined, look, { encrypt: true });
    expect(found).toMatchObject({ message: expect.stringMatching(/cannot encrypt.*encrypt = false/), context: { code: 'unsupported' } });
  });
});

describe('nonsense', () => {
  const read17 = (offset: number, length: number) =>
    bodyWith(17, 40, (body) => {
      body.writeUInt8(offset, 2);
      body.writeUInt32LE(length, 4);
    });

  test.each<[string, SmbTwist, (storage: Storage) => Promise<unknown>]>([
    ['a frame larger than anything asked for', on('create', { raw: Buffer.from([0, 0xff, 0xff, 0xff]) }), look],
    ['no SMB at all', on('create', { raw: framed(Buffer.from('HTTP/1.1 400 Bad Request\r\n\r\n')) }), look],
    ['an empty frame', on('create', { raw: framed(Buffer.alloc(0)) }), look],
    ['half a header', on('create', { raw: framed(Buffer.from('fe534d42', 'hex')) }), look],
    [
      'an encrypted frame without a key',
      on('create', { raw: framed(Buffer.concat([Buffer.from('fd534d42', 'hex'), Buffer.alloc(60)])) }),
      look,
    ],
    ['an answer to another question', on('create', (body) => ({ body, messageId: 99_999n })), look],
    ['a body of another shape', on('create', { body: bodyWith(17, 88) }), look],
    ['a body that is cut short', on('create', { body: bodyWith(89, 40) }), look],
    ['a length beyond all files', on('create', (body) => ({ body: body.fill(0xff, 48, 56) })), look],
    ['facts that end outside', on('queryInfo', { body: bodyWith(9, 8, (body) => body.writeUInt32LE(0xffff_ffff, 4)) }), look],
    ['more bytes than asked for', on('read', { body: read17(80, 0xffff_ffff) }), read],
    ['bytes outside of the answer', on('read', { body: read17(200, 20) }), read],
    ['no bytes at all', on('read', { body: read17(80, 0) }), read],
    ['entries that overlap', on('queryDirectory', { body: outputBody(listEntry('a', { next: 4 })) }), list],
    ['an entry that ends outside', on('queryDirectory', { body: outputBody(listEntry('a', { next: 200 })) }), list],
    ['a list without entries and without end', on('queryDirectory', { body: outputBody(Buffer.alloc(0)) }), list],
    ['no credits', (_request, usual) => ({ ...usual, credits: 0 }), look],
    [
      'a write that took only a part',
      on('write', { body: bodyWith(17, 16) }),
      (storage) =>
        storage.write(
          'b',
          {
            bytes: 3,
            chunks: async function* () {
              yield Buffer.from('abc');
            },
          },
          { signal },
        ),
    ],
  ])('%s is refused', async (_what, twist, work) => {
    const found = await fault(twist, work);
    expect(found).toMatchObject({ context: { code: 'broken' }, retryable: false, message: expect.not.stringMatching(/login/) });
  });

  test('a file that is shorter than it was is told as changed', async () => {
    const found = await fault(on('read', { status: 0xc000_0011, body: bodyWith(9, 9) }), read);
    expect(found.context.code).toBe('changed');
  });

  test('names that are no names are left out of lists, and links too', async () => {
    const names = ['..', '.', 'a/b', 'a\\b', 'nul\0', 'trailing ', 'C:', 'good'];
    const entries = names.map((name, at) => listEntry(name, { next: at === names.length - 1 ? 0 : 104 + name.length * 2 }));
    const links = [
      listEntry('link', { attributes: 0x410, tag: 0xa000_000c, next: 112 }),
      listEntry('dfs', { attributes: 0x410, tag: 0x8000_000a, next: 110 }),
    ];
    const storage = openFake(on('queryDirectory', { body: outputBody(Buffer.concat([...links, ...entries])) }, 0));
    expect(await list(storage)).toEqual(['good']);
    await storage[Symbol.asyncDispose]();
  });
});

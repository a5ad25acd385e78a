import { StorageException } from '../../../src/core/errors.ts';
import type { Storage } from '../../../src/core/storage.ts';
import { openSmb } from '../../../src/storage/backends/smb/smb.ts';
import { COMMAND } from '../../../src/storage/backends/smb/wire/header.ts';
import { createFakeSmb, FAKE_SETTINGS, framed, type SmbReply, usualReply } from '../../support/smb-server.ts';
import { Broken, type Target } from '../target.ts';

/** What is asked of the server; each command is answered in one of them at least. */
const ASKED: readonly ((storage: Storage, signal: AbortSignal) => Promise<unknown>)[] = [
  (storage, signal) => storage.stat('a.txt', { signal }),
  async (storage, signal) => {
    let bytes = 0;
    for await (const chunk of await storage.read('a.txt', { signal })) {
      bytes += chunk.byteLength;
      if (bytes > MOST) return;
    }
  },
  async (storage, signal) => {
    let count = 0;
    for await (const { path } of storage.list('', { signal, deep: true })) {
      if (path.split('/').some((name) => name === '..' || name === '.' || name === '')) throw new Broken(`the list told ${path}`);
      count += 1;
      if (count > 1000) return;
    }
  },
  async (storage, signal) => storage.move?.('a.txt', 'b/c.txt', { signal }),
  (storage, signal) =>
    storage.write(
      'd.txt',
      {
        async *chunks() {
          yield Buffer.alloc(100_000);
        },
      },
      { signal, modifiedMs: 0 },
    ),
];
const MOST = 4 * 1024 * 1024;

const COMMANDS = [0, 1, 3, 5, 6, 8, 9, 14, 16, 17];

/** An input: which command is answered otherwise, how (0 a body that is signed, 1 a bare frame), a status, then the bytes. */
const example = (command: number, kind: number, { status = 0, body = Buffer.alloc(0) }: SmbReply): Buffer => {
  const head = Buffer.alloc(6);
  head.writeUInt8(COMMANDS.indexOf(command), 0);
  head.writeUInt8(kind, 1);
  head.writeUInt32LE(status, 2);
  return Buffer.concat([head, body]);
};

const FILE = Buffer.alloc(16);
const bodies = COMMANDS.map((command) => {
  const body = Buffer.alloc(120, 0);
  body.writeUInt32LE(21, 4);
  FILE.copy(body, 16);
  return example(command, 0, command === COMMAND.sessionSetup ? {} : usualReply({ command, body, nth: 0 }));
});

/** Whatever a server answers: a typed fault or a result, soon, and nothing that grows without end. */
const smbAnswer: Target = {
  examples: [...bodies, example(COMMAND.create, 1, { body: Buffer.from('fe534d42', 'hex') })],
  words: ['\u00feSMB', '\u00fdSMB', 'NTLMSSP\0', '..', '\0\0\0\0', '\u00ff\u00ff\u00ff\u00ff', '\u0003\u0001\0\0'],
  open: async () => ({
    async check(input) {
      const command = COMMANDS[(input[0] ?? 0) % COMMANDS.length];
      const body = input.subarray(6, 6 + 200_000);
      const reply: SmbReply =
        (input[1] ?? 0) % 2 === 0 ? { body, status: input.length < 6 ? 0 : input.readUInt32LE(2) } : { raw: framed(body) };
      const { network } = createFakeSmb((request) => (request.command === command ? reply : undefined));
      const storage = openSmb(
        { ...FAKE_SETTINGS, connection_timeout: 0.02 },
        { location: 'smb:/', network, rules: {}, clock: { now: () => 0 } },
      );
      for (const ask of ASKED) {
        await ask(storage, AbortSignal.timeout(5_000)).catch((fault: unknown) => {
          if (!(fault instanceof StorageException)) throw new Broken(`not typed: ${fault instanceof Error ? fault.stack : String(fault)}`);
        });
      }
      await storage[Symbol.asyncDispose]();
    },
    [Symbol.asyncDispose]: async () => {},
  }),
};

export const smbAnswers = { 'smb-answer': smbAnswer };

import { basename } from 'node:path';
import { defineAction } from '../../core/action.ts';
import { type Bound, flag, integer, number, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { ArgumentException, ChecksumMismatchException } from '../../core/errors.ts';
import type { Web } from '../../core/ports/web.ts';
import * as shapes from '../../core/shapes.ts';
import { followSignals, openStopper } from '../../lib/async/stop-signal.ts';
import { describeResource } from '../../lib/net/http-resource.ts';
import { demandSize, isHeadRefused, statusFault } from './answers.ts';
import { fetchContent } from './fetch-content.ts';
import { gatherAside } from './gather-aside.ts';
import { gatherInPart, partNames } from './gather-in-part.ts';

const ARGS = {
  file_url: text('The URL; http or https, without a user name or password in it.', { role: 'url' }),
  file_name: path('The file to write; one that is there is replaced once the new one is whole.', { role: 'writes' }),
  chunk_size: integer('Bytes that are written at a time, at least.', { default: 65_536, minimum: 1 }),
  timeout: integer('Seconds for connecting, and for the first byte of an answer.', { default: 15, minimum: 1 }),
  max_bytes: integer('Most bytes that the file may have; 0 is no limit.', { default: 20_971_520, minimum: 0 }),
  progress_name: text('The name under which the progress is shown and can be cancelled; left out, one made of the file name.', {
    default: null,
  }),
  resume: flag('Keep what has arrived in FILE.part, and go on from there next time.', { default: false }),
  expected_sha256: text('The SHA-256 digest that the file must have, as hexadecimal; with another one nothing is written.', {
    default: null,
  }),
  max_redirects: integer('Redirects that are followed; each is judged like the URL itself.', { default: 5, minimum: 0, maximum: 20 }),
  retries: integer('Further attempts after a failure that may pass; they go on where the last one broke off, where the server can.', {
    default: 3,
    minimum: 0,
    maximum: 100,
  }),
  stall_timeout: number('Seconds that may pass without a byte.', { default: 30, minimum: 0.1 }),
};

type DownloadArgs = Bound<typeof ARGS>;

const openWeb = ({ web }: Context, { timeout, stall_timeout, max_redirects }: DownloadArgs): Promise<Web> =>
  web({ timeoutMs: timeout * 1000, stallMs: stall_timeout * 1000, maxRedirects: max_redirects });

/** A digest that cannot be one would be found out only after everything has come. */
const demandDigest = (expected: string | null): void => {
  if (expected !== null && !/^[0-9a-f]{64}$/i.test(expected)) {
    throw new ArgumentException('expected_sha256 is no SHA-256 digest; write its 64 hexadecimal digits.', {
      context: { argument: 'expected_sha256' },
    });
  }
};

const demandSame = (actual: string, expected: string, target: string): void => {
  if (actual === expected.toLowerCase()) return;
  throw new ChecksumMismatchException(`What came for ${target} has another SHA-256 digest than expected; check the URL and the digest.`, {
    context: { path: target, algorithm: 'sha256', expected: expected.toLowerCase(), actual },
  });
};

export const downloadFile = defineAction({
  name: 'FA_download_file',
  aliases: ['FA_http_download'],
  summary: 'Downloads a URL to a file, which appears whole or not at all.',
  args: ARGS,
  returns: shapes.flag(),
  idempotent: true,
  examples: [{ args: { file_url: 'https://example.org/data.csv', file_name: 'data.csv' }, value: true, leaves: {} }],
  async plan(context, args) {
    const { files, signal } = context;
    demandDigest(args.expected_sha256);
    await using web = await openWeb(context, args);
    const answer = await web.ask(args.file_url, { method: 'HEAD', signal });
    await answer.drop();
    if (answer.status !== 200 && !isHeadRefused(answer.status)) throw statusFault(answer);
    const { bytes } = answer.status === 200 ? describeResource(200, answer.headers) : {};
    demandSize(bytes, args.max_bytes, answer.host);
    if (args.resume) for (const name of partNames(args.file_name)) if (await files.stat(name)) await files.remove(name, { isOwn: true });
    await using target = await files.create(args.file_name, { signal, ...(bytes !== undefined && { expectedBytes: bytes }) });
    await target.commit();
  },
  async run(context, args) {
    const { files, signal } = context;
    const { file_url: url, file_name: target, expected_sha256: expected, resume } = args;
    demandDigest(expected);
    const stopper = openStopper(); // the entry of progress, which can be cancelled too, is made once the length is known
    const outer = followSignals(signal, stopper.signal);
    await using web = await openWeb(context, args);
    await using gathering = await (resume ? gatherInPart : gatherAside)({
      files,
      url,
      target,
      signal: outer.signal,
      isHashed: expected !== null,
    });
    try {
      await fetchContent({
        web,
        url,
        gathering,
        maxBytes: args.max_bytes,
        retries: args.retries,
        chunkBytes: args.chunk_size,
        signal: outer.signal,
        begun(total) {
          const progress = context.progress(args.progress_name ?? `download ${basename(target)}`, total);
          progress.signal.addEventListener('abort', () => stopper.stop(progress.signal.reason), { once: true });
          return progress;
        },
      });
      if (expected !== null) {
        try {
          demandSame(await gathering.digest(), expected, files.absolute(target));
        } catch (fault) {
          await gathering.begin(undefined); // what is wrong is not gone on with
          throw fault;
        }
      }
      await gathering.commit();
    } finally {
      outer.forget();
    }
    return true;
  },
});

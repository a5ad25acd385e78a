import { FileAutomationException, StorageException } from '../../../core/errors.ts';
import type { Interruptible } from '../../../core/files.ts';
import type { Storage, StorageAbilities, StoredItem, Stretch } from '../../../core/storage.ts';
import type { HttpAnswer } from '../../../lib/net/http-client.ts';
import { describeResource, isSameContent, onlyIfSame, parseContentRange } from '../../../lib/net/http-resource.ts';
import type { BackendWorld } from '../../backend.ts';
import { createFaults } from '../../faults.ts';

/*
 * Files of other machines by their URL: a source and nothing more. The storage is a scheme (`https:/`), and a path is everything of a URL
 * behind `https://`, so that location and path together are the URL itself. The version of an item is its strong ETag, or else the time of
 * its last change, as the server writes it.
 */

export interface HttpSettings {
  /** Throws unless this host may be asked; called for the URL and for every redirect. */
  readonly demandHost?: ((host: string) => void) | undefined;
  /** Certificates of authorities to trust instead of those of the system, as PEM. */
  readonly ca?: string | undefined;
  /** Seconds for connecting, and for silence. */
  readonly timeout?: number;
}

const CAN: StorageAbilities = { range: true, exclusiveWrite: false, directories: 'implied', hashes: [] };

/** What some servers answer to HEAD although they would answer GET. */
const HEAD_REFUSED: ReadonlySet<number> = new Set([400, 403, 405, 501]);

/** Opens the files of one scheme. */
export const openHttp = ({ demandHost, ca, timeout = 30 }: HttpSettings, { location, network, rules }: BackendWorld): Storage => {
  const faults = createFaults(StorageException, location);
  const client = network.openHttp({ rules, demandHost, ca, connectMs: timeout * 1000, idleMs: timeout * 1000 });

  const ask = async (method: 'GET' | 'HEAD', path: string, headers: Readonly<Record<string, string>>, { signal }: Interruptible) => {
    try {
      return await client.request(`${location}/${path}`, { method, headers, signal, maxBytes: Number.POSITIVE_INFINITY });
    } catch (fault) {
      throw translated(fault, path);
    }
  };

  /** Queries are often signed, so that no message shows them. */
  const shown = (path: string): string => path.replace(/[?#].*$/s, '');

  const translated = (fault: unknown, path: string): unknown =>
    fault instanceof FileAutomationException && fault.type === 'DownloadException'
      ? faults.because('unreachable', fault.message, {
          cause: fault,
          retryable: fault.retryable,
          context: { location: `${location}/${shown(path)}`, ...(fault.context.code !== undefined && { server_code: fault.context.code }) },
        })
      : fault;

  const statusFault = ({ status, url }: Pick<HttpAnswer, 'status' | 'url'>, path: string): StorageException => {
    if (status === 404 || status === 410) return faults.notFound(shown(path));
    if (status === 412) return faults.changed(shown(path));
    const isDenied = status === 401 || status === 403 || status === 407;
    const isBusy = status === 408 || status === 429 || status >= 500;
    return faults.because(
      isDenied ? 'denied' : isBusy ? 'busy' : 'broken',
      `${url.host} answered ${status}; ${isDenied ? 'it does not give this file to us' : isBusy ? 'try again later' : 'that is no file'}.`,
      { retryable: isBusy, context: { location: `${location}/${shown(path)}`, server_code: String(status) } },
    );
  };

  const itemOf = (path: string, { status, headers, url }: HttpAnswer): StoredItem => {
    const { bytes, modifiedMs, validator } = describeResource(status, headers);
    if (bytes === undefined) {
      throw faults.unsupported(`${url.host} does not tell how long the file is; download it with FA_download_file.`, shown(path));
    }
    return {
      path,
      kind: 'file',
      bytes,
      ...(modifiedMs !== undefined && { modifiedMs }),
      ...(validator !== undefined && { version: validator }),
    };
  };

  const stat = async (path: string, options: Interruptible): Promise<StoredItem | undefined> => {
    const head = await ask('HEAD', path, {}, options);
    await head.drop();
    if (head.status === 404 || head.status === 410) return undefined;
    const isTold = head.status === 200 && describeResource(head.status, head.headers).bytes !== undefined;
    if (isTold) return itemOf(path, head);
    if (head.status !== 200 && !HEAD_REFUSED.has(head.status)) throw statusFault(head, path);
    const first = await ask('GET', path, { range: 'bytes=0-0' }, options);
    await first.drop();
    if (first.status === 404 || first.status === 410) return undefined;
    // An empty file has no first byte.
    if (first.status === 200 || first.status === 206 || (first.status === 416 && describeResource(416, first.headers).bytes === 0))
      return itemOf(path, first);
    throw statusFault(first, path);
  };

  const read = async (path: string, stretch: Stretch, version: string | undefined, options: Interruptible) => {
    const { start, end } = stretch;
    const isPart = start > 0 || end !== undefined;
    if (end !== undefined && end <= start) return nothing();
    const headers = {
      ...(isPart && { range: `bytes=${start}-${end === undefined ? '' : end - 1}` }),
      ...(version !== undefined && onlyIfSame(version)),
    };
    const answer = await ask('GET', path, headers, options);
    const { status } = answer;
    if (status === 416 && describeResource(416, answer.headers).bytes === start) {
      await answer.drop();
      return nothing();
    }
    if (status !== 200 && !(status === 206 && isPart)) {
      await answer.drop();
      throw statusFault(answer, path);
    }
    // Not every server knows the conditions that were sent.
    if (version !== undefined && isSameContent(version, answer.headers) === false) {
      await answer.drop();
      throw faults.changed(shown(path));
    }
    const range = status === 206 ? parseContentRange(answer.headers['content-range']) : undefined;
    if (status === 206 && range?.start !== start) {
      await answer.drop();
      throw faults.because('broken', `${answer.url.host} sent another part of the file than it was asked for.`, { retryable: true });
    }
    const wanted = end === undefined ? Number.POSITIVE_INFINITY : end - start;
    return cut(answer, status === 206 ? 0 : start, wanted, (fault) => translated(fault, path));
  };

  const sourceOnly = (path: string): Promise<never> =>
    Promise.reject(faults.unsupported('A URL is only read from; write to a connection such as WebDAV.', shown(path)));

  return {
    location,
    can: CAN,
    stat,
    // biome-ignore lint/correctness/useYield: a listing that cannot be is refused when it is begun
    async *list(path) {
      throw faults.unsupported('A URL has no directory that could be listed; name a file.', shown(path));
    },
    read: (path, { stretch = { start: 0 }, version, signal }) => read(path, stretch, version, { signal }),
    write: sourceOnly,
    remove: sourceOnly,
    [Symbol.asyncDispose]: () => client[Symbol.asyncDispose](),
  };
};

async function* nothing(): AsyncGenerator<Uint8Array> {}

/** The wanted bytes of an answer, of a server that sends all of them too. */
async function* cut(
  { body, drop }: HttpAnswer,
  skipped: number,
  wanted: number,
  translate: (fault: unknown) => unknown,
): AsyncGenerator<Uint8Array> {
  let [before, left] = [skipped, wanted];
  try {
    for await (const chunk of body) {
      const part = chunk.subarray(Math.min(before, chunk.byteLength)).subarray(0, left);
      before = Math.max(0, before - chunk.byteLength);
      left -= part.byteLength;
      if (part.byteLength > 0) yield part;
      if (left === 0) return;
    }
  } catch (fault) {
    throw translate(fault);
  } finally {
    await drop();
  }
}

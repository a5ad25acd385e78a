import { createHash } from 'node:crypto';
import { DownloadException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import { shownUrl } from '../../lib/net/refusal.ts';
import type { Gathering, GatheringOptions } from './gathering.ts';

/** What has arrived, and what it is the beginning of. */
export const partNames = (target: string): readonly [part: string, about: string] => [`${target}.part`, `${target}.part.json`];

/** What is said about the beginning of a file. The URL may hold a secret, so that it is only compared. */
interface About {
  readonly url: string;
  readonly url_sha256: string;
  readonly validator: string;
}

/** So much is gathered before it is written: a process that is killed loses no more. */
const FLUSH_BYTES = 1024 * 1024;
const MOST_ABOUT_BYTES = 16_384;

/** What is written when a download ends may not be stopped by what ended it. */
const NEVER = new AbortController().signal;

/**
 * Gathers in a file beside the target that stays where the download fails, so that the next one goes on from there. Two downloads of one
 * target notice each other at the length of that file.
 */
export const gatherInPart = async ({ files, url, target, signal, isHashed }: GatheringOptions): Promise<Gathering> => {
  const [part, about] = partNames(target);
  const urlDigest = createHash('sha256').update(url).digest('hex');
  const found = await findBeginning(files, part, about, urlDigest);
  const waiting = Buffer.allocUnsafe(FLUSH_BYTES);
  let gathered = 0;
  let { bytes: written, validator } = found;

  const removeBoth = async (): Promise<void> => {
    for (const name of [part, about]) if ((await files.stat(name)) !== undefined) await files.remove(name, { isOwn: true });
  };

  const flush = async (stop: AbortSignal): Promise<void> => {
    if (gathered === 0) return;
    const record = waiting.subarray(0, gathered);
    await files.append(part, (file) => ({ record: demandOurs(file?.entry.size ?? 0, written, files.absolute(part)) && record }), {
      signal: stop,
    });
    written += gathered;
    gathered = 0;
  };

  let isOver = false;
  return {
    get bytes() {
      return written + gathered;
    },
    get validator() {
      return validator;
    },
    async begin(next) {
      gathered = 0;
      written = 0;
      validator = next;
      await removeBoth(); // before anything is said of what comes: the old bytes must never count as its beginning
      if (next === undefined) return;
      const said: About = { url: shownUrl(url), url_sha256: urlDigest, validator: next };
      await files.write(about, Buffer.from(`${JSON.stringify(said)}\n`), { signal, mode: 0o600 });
    },
    async add(chunk) {
      for (let at = 0; at < chunk.byteLength; ) {
        const taken = Math.min(FLUSH_BYTES - gathered, chunk.byteLength - at);
        waiting.set(chunk.subarray(at, at + taken), gathered);
        gathered += taken;
        at += taken;
        if (gathered === FLUSH_BYTES) await flush(signal);
      }
    },
    async digest() {
      await flush(signal);
      const hash = createHash('sha256');
      if (!isHashed || written === 0) return hash.digest('hex');
      await using file = await files.open(part);
      for await (const chunk of file.stream()) {
        signal.throwIfAborted();
        hash.update(chunk);
      }
      return hash.digest('hex');
    },
    async commit() {
      await flush(signal);
      if (written === 0) await files.write(part, new Uint8Array(0), { signal }); // nothing was ever added
      await files.move(part, target, { signal });
      isOver = true;
      if ((await files.stat(about)) !== undefined) await files.remove(about, { isOwn: true });
    },
    async [Symbol.asyncDispose]() {
      if (isOver) return;
      if (validator === undefined) return removeBoth();
      await flush(NEVER);
    },
  };
};

/** What is there of an earlier download of the same URL. */
const findBeginning = async (
  files: FilePort,
  part: string,
  about: string,
  urlDigest: string,
): Promise<{ readonly bytes: number; readonly validator: string | undefined }> => {
  const nothing = { bytes: 0, validator: undefined };
  const [entry, note] = [await files.stat(part), await files.stat(about)];
  if (entry?.kind !== 'file' || note?.kind !== 'file' || note.size > MOST_ABOUT_BYTES) return nothing;
  const said = readAbout((await files.read(about)).toString('utf8'));
  return said?.url_sha256 === urlDigest ? { bytes: entry.size, validator: said.validator } : nothing;
};

const readAbout = (written: string): About | undefined => {
  try {
    const { url, url_sha256, validator } = JSON.parse(written) ?? {};
    const isValid = typeof validator === 'string' && /^[\x20-\x7e\x80-\xff]{1,1000}$/.test(validator);
    return isValid ? { url, url_sha256, validator } : undefined;
  } catch {
    return undefined; // half written, or not ours: then it says nothing
  }
};

const demandOurs = (size: number, expected: number, shown: string): true => {
  if (size === expected) return true;
  throw new DownloadException(`Somebody else writes ${shown} at the same time; wait for the other download, or choose another target.`, {
    context: { path: shown },
  });
};

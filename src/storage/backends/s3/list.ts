import type { ListOptions, StoredItem } from '../../../core/storage.ts';
import { textAt, type XmlElement } from '../../../lib/data/xml/read-xml.ts';
import type { StorageFaults } from '../../faults.ts';
import { storageCode } from '../../faults.ts';
import { impliedDirectories, isUsable } from '../../objects/implied-directories.ts';
import { askedAgain } from '../../objects/pages.ts';
import type { S3Client } from './client.ts';
import { directory, etagOf, md5In } from './items.ts';
import { placeOf } from './place.ts';

export interface S3Listing {
  readonly client: S3Client;
  readonly faults: StorageFaults;
}

/** The entries of a directory: of the root the buckets, of a bucket or below what its keys imply. */
export async function* list(listing: S3Listing, path: string, options: ListOptions): AsyncGenerator<StoredItem> {
  if (path !== '') yield* listKeys(listing, path, options);
  else
    for (const bucket of await buckets(listing, options.signal)) {
      yield directory(bucket);
      if (options.deep === true) yield* listKeys(listing, bucket, options);
    }
}

const buckets = async ({ client }: S3Listing, signal: AbortSignal): Promise<string[]> => {
  const root = await client.ask({ method: 'GET', bucket: '', signal });
  const listed = root.children.find(({ name }) => name === 'Buckets')?.children ?? [];
  return listed.map((each) => textAt(each, 'Name') ?? '').filter((name) => isUsable(name) && !name.includes('/'));
};

async function* listKeys(listing: S3Listing, path: string, { deep = false, signal }: ListOptions): AsyncGenerator<StoredItem> {
  const { bucket, key } = placeOf(path, listing.faults);
  const prefix = key === '' ? '' : `${key}/`;
  const above = impliedDirectories(path);
  try {
    for await (const page of pages(listing, { bucket, prefix, delimiter: deep ? undefined : '/' }, signal)) {
      for (const each of entriesOf(page)) {
        if (each.key === prefix || !each.key.startsWith(prefix)) continue; // the directory itself, or nothing that was asked for
        const full = `${bucket}/${each.key}`;
        const isDirectory = full.endsWith('/');
        const shown = isDirectory ? full.slice(0, -1) : full;
        if (!isUsable(shown) || (!deep && each.key.slice(prefix.length, -1).includes('/'))) continue;
        for (const implied of above(full)) yield directory(implied);
        if (!isDirectory) yield { ...each.item, path: shown };
      }
    }
  } catch (fault) {
    if (storageCode(fault) !== 'not_found') throw fault; // no bucket: nothing is in it
  }
}

interface Question {
  readonly bucket: string;
  readonly prefix: string;
  readonly delimiter: string | undefined;
}

async function* pages(
  { client, faults }: S3Listing,
  { bucket, prefix, delimiter }: Question,
  signal: AbortSignal,
): AsyncGenerator<XmlElement> {
  let token: string | undefined;
  for (;;) {
    const asking = { 'list-type': '2', 'encoding-type': 'url', prefix, delimiter, 'continuation-token': token };
    const ask = () => client.ask({ method: 'GET', bucket, query: asking, signal });
    const page = await (token === undefined ? ask() : askedAgain(ask, signal));
    if (page.name !== 'ListBucketResult') throw faults.because('broken', `The server answers a list with ${page.name.slice(0, 40)}.`);
    yield page;
    if (textAt(page, 'IsTruncated') !== 'true') return;
    const next = textAt(page, 'NextContinuationToken');
    if (next === undefined || next === '' || next === token)
      throw faults.because('broken', `The server ends the list of ${bucket}/${prefix} in the middle.`);
    token = next;
  }
}

interface Entry {
  readonly key: string;
  /** Its path is put in by whoever knows the bucket. */
  readonly item: StoredItem;
}

/** Files and directories of a page in the order of their names. */
const entriesOf = (page: XmlElement): Entry[] => {
  const isEncoded = textAt(page, 'EncodingType') === 'url';
  const entries: Entry[] = [];
  for (const child of page.children) {
    if (child.name === 'Contents') entries.push(fileOf(child, isEncoded));
    else if (child.name === 'CommonPrefixes') {
      for (const { name, text } of child.children)
        if (name === 'Prefix') entries.push({ key: nameIn(text, isEncoded), item: directory('') });
    }
  }
  return entries;
};

const fileOf = (content: XmlElement, isEncoded: boolean): Entry => {
  let [key, bytes, modifiedMs, etag]: [string, number, number, string | undefined] = ['', 0, Number.NaN, undefined];
  for (const { name, text } of content.children) {
    if (name === 'Key') key = nameIn(text, isEncoded);
    else if (name === 'Size') bytes = Number(text);
    else if (name === 'LastModified') modifiedMs = Date.parse(text);
    else if (name === 'ETag') etag = etagOf(text);
  }
  const md5 = md5In(etag);
  return {
    key: Number.isSafeInteger(bytes) && bytes >= 0 ? key : '',
    item: {
      path: '',
      kind: 'file',
      bytes,
      ...(Number.isFinite(modifiedMs) && { modifiedMs }),
      ...(etag !== undefined && { version: etag }),
      ...(md5 !== undefined && { hashes: { md5 } }),
    },
  };
};

/** Names come percent-encoded, with a plus for a space. One that cannot be decoded is no name. */
const nameIn = (text: string, isEncoded: boolean): string => {
  if (!isEncoded) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return '';
  }
};

import type { ListOptions, StoredItem } from '../../../core/storage.ts';
import { childOf, textAt, type XmlElement } from '../../../lib/data/xml/read-xml.ts';
import { type StorageFaults, storageCode } from '../../faults.ts';
import { impliedDirectories, isUsable } from '../../objects/implied-directories.ts';
import { askedAgain } from '../../objects/pages.ts';
import type { AzureClient } from './client.ts';
import { directory, itemOf } from './items.ts';
import { demandPath } from './place.ts';

export interface AzureListing {
  readonly client: AzureClient;
  readonly faults: StorageFaults;
}

/** The entries of a directory: of the root the containers, of a container or below what the names of blobs imply. */
export async function* list(listing: AzureListing, path: string, options: ListOptions): AsyncGenerator<StoredItem> {
  if (path !== '') return yield* listBlobs(listing, path, options);
  for await (const page of pages(listing, { path: '', query: { comp: 'list' } }, options.signal)) {
    for (const each of childOf(page, 'Containers')?.children ?? []) {
      const container = nameOf(each);
      if (!isUsable(container) || container.includes('/')) continue;
      yield directory(container);
      if (options.deep === true) yield* listBlobs(listing, container, options);
    }
  }
}

async function* listBlobs(listing: AzureListing, path: string, { deep = false, signal }: ListOptions): AsyncGenerator<StoredItem> {
  const { container, blob } = demandPath(path, listing.faults);
  const prefix = blob === '' ? '' : `${blob}/`;
  const query = { restype: 'container', comp: 'list', include: 'metadata', prefix: prefix || undefined, delimiter: deep ? undefined : '/' };
  const above = impliedDirectories(path);
  /** Directories that a blob marks come apart from what is in them, before it or in any order. */
  const told = new Set<string>();
  try {
    for await (const page of pages(listing, { path: container, query }, signal)) {
      for (const each of childOf(page, 'Blobs')?.children ?? []) {
        const found = entryOf(each);
        if (found === undefined || found.name === prefix || !found.name.startsWith(prefix)) continue;
        const full = `${container}/${found.name}`;
        const shown = full.endsWith('/') ? full.slice(0, -1) : full;
        if (!isUsable(shown) || (!deep && found.name.slice(prefix.length, -1).includes('/'))) continue;
        const isDirectory = found.item === undefined;
        for (const implied of above(isDirectory ? `${shown}/` : full)) {
          if (told.has(implied)) continue;
          if (!deep || found.isMark) told.add(implied);
          yield directory(implied);
        }
        if (found.item !== undefined) yield { ...found.item, path: shown };
      }
    }
  } catch (fault) {
    if (storageCode(fault) !== 'not_found') throw fault; // no container: nothing is in it
  }
}

interface Question {
  readonly path: string;
  readonly query: Readonly<Record<string, string | undefined>>;
}

async function* pages({ client, faults }: AzureListing, { path, query }: Question, signal: AbortSignal): AsyncGenerator<XmlElement> {
  let marker: string | undefined;
  for (;;) {
    const ask = () => client.ask({ method: 'GET', path, query: { ...query, marker }, signal });
    const page = await (marker === undefined ? ask() : askedAgain(ask, signal));
    if (page.name !== 'EnumerationResults') throw faults.because('broken', `The service answers a list with ${page.name.slice(0, 40)}.`);
    yield page;
    const next = textAt(page, 'NextMarker');
    if (next === undefined || next === '') return;
    if (next === marker) throw faults.because('broken', `The service begins the list of ${path} again and again.`);
    marker = next;
  }
}

interface Entry {
  readonly name: string;
  /** Left out for directories. Its path is put in by whoever knows the container. */
  readonly item?: StoredItem;
  readonly isMark: boolean;
}

const entryOf = (element: XmlElement): Entry | undefined => {
  const name = nameOf(element);
  if (element.name === 'BlobPrefix') return { name, isMark: false };
  if (element.name !== 'Blob') return undefined;
  const mark = childOf(element, 'Metadata')?.children.find((each) => each.name.toLowerCase() === 'hdi_isfolder');
  if (mark?.text.toLowerCase() === 'true' || name.endsWith('/')) return { name, isMark: true };
  const facts = childOf(element, 'Properties');
  const bytes = Number(textAt(facts, 'Content-Length'));
  if (!Number.isSafeInteger(bytes) || bytes < 0) return undefined;
  const item = itemOf('', {
    bytes,
    etag: textAt(facts, 'Etag'),
    modified: textAt(facts, 'Last-Modified'),
    md5: textAt(facts, 'Content-MD5') || undefined,
  });
  return { name, item, isMark: false };
};

/** A name with characters that XML has not comes percent-encoded, and says so. */
const nameOf = (element: XmlElement): string => {
  const name = childOf(element, 'Name');
  if (name === undefined || !/\bEncoded\s*=\s*["']true["']/i.test(name.attributes)) return name?.text ?? '';
  try {
    return decodeURIComponent(name.text);
  } catch {
    return ''; // no name
  }
};

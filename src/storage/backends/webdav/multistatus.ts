import { childOf, readXml, textAt, type XmlElement } from '../../../lib/data/xml/read-xml.ts';

/** One resource, as a server describes it. */
export interface DavResource {
  readonly href: string;
  readonly kind: 'file' | 'dir';
  readonly bytes: number;
  readonly modifiedMs?: number;
  /** Without the mark of a weak one: some servers drop it after a second. */
  readonly version?: string;
}

export const PROPFIND_BODY = Buffer.from(
  '<?xml version="1.0" encoding="utf-8"?><D:propfind xmlns:D="DAV:"><D:prop><D:resourcetype/><D:getcontentlength/><D:getlastmodified/><D:getetag/></D:prop></D:propfind>',
);

/** Reads an answer to PROPFIND; resources that the server itself reports as missing are left out. */
export const readMultistatus = (source: string, fail: (why: string) => Error): DavResource[] => {
  const root = readXml(source, { fail, maxDepth: 16, maxElements: 2_000_000 });
  if (root.name !== 'multistatus' || root.namespace !== 'DAV:') throw fail('is no multistatus');
  return root.children.filter(isDav('response')).flatMap((response) => resourceOf(response, fail));
};

const isDav =
  (name: string) =>
  (element: XmlElement): boolean =>
    element.name === name && element.namespace === 'DAV:';

const resourceOf = (response: XmlElement, fail: (why: string) => Error): DavResource[] => {
  const href = textAt(response, 'href');
  if (href === undefined) throw fail('has a response without an href');
  const status = textAt(response, 'status');
  if (status !== undefined && !isGood(status)) return [];
  const good = response.children.filter(isDav('propstat')).filter((each) => isGood(textAt(each, 'status') ?? ''));
  const found = good.flatMap((each) => childOf(each, 'prop')?.children ?? []);
  const text = (name: string): string | undefined => found.find(isDav(name))?.text.trim();
  const isDir = found.find(isDav('resourcetype'))?.children.some(isDav('collection')) === true;
  if (isDir) return [{ href, kind: 'dir', bytes: 0, ...timeOf(text('getlastmodified')) }];
  const bytes = text('getcontentlength') ?? '0'; // some leave it out for what is empty
  if (!/^\d{1,15}$/.test(bytes)) throw fail(`has the length ${JSON.stringify(bytes.slice(0, 20))}`);
  const version = text('getetag')?.replace(/^W\//, '');
  return [
    {
      href,
      kind: 'file',
      bytes: Number(bytes),
      ...timeOf(text('getlastmodified')),
      ...(version !== undefined && version !== '' && { version }),
    },
  ];
};

const isGood = (status: string): boolean => /^HTTP\/\d(?:\.\d)? 2\d\d/.test(status.trim());

const timeOf = (written: string | undefined): { readonly modifiedMs?: number } => {
  const modifiedMs = Date.parse(written ?? '');
  return Number.isNaN(modifiedMs) ? {} : { modifiedMs };
};

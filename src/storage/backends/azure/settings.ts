import type { StorageFaults } from '../../faults.ts';

/** `[connections.NAME]` of the type `azure`; files are given by their contents. */
export interface AzureSettings {
  readonly connection_string?: string | undefined;
  readonly account_url?: string | undefined;
  /** The key of the account, or a shared access signature. */
  readonly credential?: string | undefined;
  readonly bearer_token?: string | undefined;
  /** Requests go without credentials. */
  readonly anonymous?: boolean | undefined;
  /** Certificates of authorities, as PEM. */
  readonly ca?: string | undefined;
  readonly verify_tls?: boolean | undefined;
  /** Seconds. */
  readonly timeout?: number | undefined;
}

/** How requests show who sends them. */
export type AzureCredential =
  | { readonly kind: 'key'; readonly key: Buffer }
  | { readonly kind: 'sas'; readonly query: Readonly<Record<string, string>> }
  | { readonly kind: 'bearer'; readonly token: string }
  | { readonly kind: 'none' };

export interface AzureAccount {
  readonly name: string;
  /** Without a slash at the end; an emulator has the account in its path. */
  readonly url: URL;
  readonly credential: AzureCredential;
}

/** The account that every emulator has, as its documentation publishes it. */
const DEVELOPMENT = {
  AccountName: 'devstoreaccount1',
  AccountKey: 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==',
  BlobEndpoint: 'http://127.0.0.1:10000/devstoreaccount1',
} as const;

export const readAccount = (settings: AzureSettings, faults: StorageFaults): AzureAccount => {
  const refuse = (why: string): Error => faults.because('denied', `The connection ${why}.`);
  const { connection_string: written, account_url: url, credential, bearer_token: token, anonymous = false } = settings;
  if (written !== undefined) return fromString(written, refuse);
  if (url === undefined) throw refuse('names no account; give it connection_string or account_url');
  const account = accountAt(url, refuse);
  if (credential !== undefined)
    return { ...account, credential: /(?:^|[?&])sig=/.test(credential) ? readSas(credential) : readKey(credential, refuse) };
  if (token !== undefined) return { ...account, credential: { kind: 'bearer', token } };
  const { search } = new URL(url);
  if (search.includes('sig=')) return { ...account, credential: readSas(search) };
  if (anonymous) return { ...account, credential: { kind: 'none' } };
  throw refuse('has no credentials; give it credential, bearer_token or anonymous = true');
};

const fromString = (written: string, refuse: (why: string) => Error): AzureAccount => {
  const given = new Map(
    written.split(';').flatMap((part): [string, string][] => {
      const at = part.indexOf('=');
      return at < 1 ? [] : [[part.slice(0, at).trim().toLowerCase(), part.slice(at + 1).trim()]];
    }),
  );
  if (given.get('usedevelopmentstorage')?.toLowerCase() === 'true')
    for (const [key, value] of Object.entries(DEVELOPMENT)) given.set(key.toLowerCase(), given.get(key.toLowerCase()) ?? value);
  const name = given.get('accountname');
  const [protocol, suffix] = [given.get('defaultendpointsprotocol') ?? 'https', given.get('endpointsuffix') ?? 'core.windows.net'];
  const endpoint = given.get('blobendpoint') ?? (name === undefined ? undefined : `${protocol}://${name}.blob.${suffix}`);
  if (endpoint === undefined) throw refuse('has a connection_string without AccountName and BlobEndpoint');
  const account = accountAt(endpoint, refuse);
  const [key, sas] = [given.get('accountkey'), given.get('sharedaccesssignature')];
  if (key === undefined && sas === undefined) throw refuse('has a connection_string without AccountKey and SharedAccessSignature');
  return { ...account, name: name ?? account.name, credential: key === undefined ? readSas(sas ?? '') : readKey(key, refuse) };
};

const accountAt = (written: string, refuse: (why: string) => Error): Pick<AzureAccount, 'name' | 'url'> => {
  const read = URL.canParse(written) ? new URL(written) : undefined;
  if (read === undefined || !/^https?:$/.test(read.protocol) || read.username !== '')
    throw refuse('has an address of the account that is none; write it as https://ACCOUNT.blob.core.windows.net');
  const url = new URL(read.origin + read.pathname.replace(/\/+$/, ''));
  const inPath = url.pathname.split('/')[1];
  return { name: inPath || (url.hostname.split('.')[0] ?? ''), url };
};

const readSas = (written: string): AzureCredential => ({
  kind: 'sas',
  query: Object.fromEntries(new URLSearchParams(written.replace(/^.*?\?/s, ''))),
});

const readKey = (written: string, refuse: (why: string) => Error): AzureCredential => {
  if (!/^[A-Za-z0-9+/]{16,}={0,2}$/.test(written))
    throw refuse('has a key that is not one; copy it from the portal, with the = at its end');
  return { kind: 'key', key: Buffer.from(written, 'base64') };
};

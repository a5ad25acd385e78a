import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Served, startServed } from '../e2e/service/served.ts';
import { type TempDir, tempDir } from './temp-dir.ts';

const SECRETS = { owner: 'owner-with-enough-letters', ann: 'ann-with-enough-letters', bob: 'bob-with-enough-letters' };

/** A real service with connections, and callers with limits: `ann` has the locations of the test, `bob` the network and nothing else. */
export interface RemoteService extends AsyncDisposable {
  readonly dir: TempDir;
  /** Runs a list as somebody; gives the values of its commands, or the types of their errors with what they are about. */
  told(list: unknown, who?: keyof typeof SECRETS): Promise<unknown[]>;
  /** The whole answer. */
  ask(list: unknown, who?: keyof typeof SECRETS): Promise<Answer>;
  /** How `POST /runs` answers. */
  submitted(list: unknown, who: keyof typeof SECRETS): Promise<number>;
  /** Files of the state directory, and what was said on standard error, that hold one of these words. */
  holding(...words: readonly string[]): readonly string[];
}

export interface Answer {
  readonly status: number;
  readonly body: {
    readonly results?: readonly {
      readonly value?: unknown;
      readonly error?: { readonly type: string; readonly message: string; readonly context: Readonly<Record<string, unknown>> };
      readonly plan?: { readonly effects: readonly { readonly kind: string; readonly target: string }[] };
    }[];
    readonly plan_hash?: string;
    readonly error?: { readonly type: string; readonly message: string };
  };
}

export interface RemoteServiceOptions {
  /** `[connections.…]`, and whatever else. */
  readonly toml: string;
  readonly locations: readonly string[];
  readonly privateHost: string;
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export const startRemoteService = async ({
  toml,
  locations,
  privateHost,
  files,
  env = {},
}: RemoteServiceOptions): Promise<RemoteService> => {
  const dir = tempDir({
    'a.txt': 'hello',
    'in/one': '1',
    'in/deep/two': '22',
    ...files,
    'factotum.toml': `[server]
shared_secret = "${SECRETS.owner}"
[network]
private_hosts = ["${privateHost}"]
[[tokens]]
name = "ann"
secret = "${SECRETS.ann}"
roots = ["."]
network = true
locations = ${JSON.stringify(locations)}
[[tokens]]
name = "bob"
secret = "${SECRETS.bob}"
roots = ["."]
network = true
locations = ${JSON.stringify(locations)}
${toml}`,
  });
  const served: Served = startServed({ cwd: dir.path, state: dir.at('.state'), env });
  const url = await served.url;
  const post = (route: string, list: unknown, who: keyof typeof SECRETS) =>
    fetch(`${url}/${route}`, {
      method: 'POST',
      body: JSON.stringify(list),
      headers: { authorization: `Bearer ${SECRETS[who]}`, 'content-type': 'application/json' },
    });
  const ask: RemoteService['ask'] = async (list, who = 'owner') => {
    const answer = await post('actions', list, who);
    return { status: answer.status, body: (await answer.json()) as Answer['body'] }; // what the service answers
  };
  return {
    dir,
    ask,
    async submitted(list, who) {
      const answer = await post('runs', list, who);
      await answer.arrayBuffer();
      return answer.status;
    },
    async told(list, who) {
      const { body } = await ask(list, who);
      if (body.results === undefined) return [body.error?.type ?? body];
      return body.results.map(({ value, error }) =>
        error === undefined ? value : `${error.type} ${String(error.context.code ?? '')}`.trim(),
      );
    },
    holding: (...words) => [
      ...filesBelow(dir.at('.state')).filter((file) => words.some((word) => readFileSync(file).includes(word))),
      ...(words.some((word) => served.complaints().includes(word)) ? ['standard error'] : []),
    ],
    async [Symbol.asyncDispose]() {
      await served[Symbol.asyncDispose]();
      dir[Symbol.dispose]();
    },
  };
};

const filesBelow = (directory: string): string[] =>
  existsSync(directory)
    ? readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

import { resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { OWNER } from '../../access/caller.ts';
import { LIMIT_NAMES } from '../../core/caller-limits.ts';
import type { Registry } from '../../core/registry.ts';
import { demandKnownKeys, type KnownKeys } from '../../lib/text/known-keys.ts';
import type { Limits } from '../../servers/limits.ts';
import type { Mailbox } from '../../servers/mcp/mailbox.ts';
import { assistantOf } from '../callers/callers.ts';
import { houseFiles } from '../callers/guarded.ts';
import { createInstance } from '../create.ts';
import type { FactotumOptions } from '../factotum.ts';
import type { Instance } from '../instance/instance.ts';
import { sharedFactotum } from '../shared-factotum.ts';
import { openApprovals, type UserApprovals } from '../state/approvals.ts';
import type { McpOptions } from './host-options.ts';
import { type McpHouse, mcpParts, OWN_IDENTITY } from './mcp.ts';
import { keepRecords, type RunRecords } from './run-records.ts';

export interface MCPServerOptions
  extends Partial<McpOptions>,
    Pick<FactotumOptions, 'defaults' | 'guards' | 'outbound' | 'connections' | 'secretVariables' | 'log'> {
  /** How the server introduces itself; by default as factotum in its own version. */
  readonly name?: string;
  readonly version?: string;
  /** How much may be asked of the server. */
  readonly limits?: Limits | undefined;
  /** Where its runs are written down; left out, nowhere. @internal */
  readonly records?: RunRecords;
  /** The file of the store where plans wait for `factotum approve`; by default that of this user. */
  readonly storeFile?: string | undefined;
}

/** All there are: a misspelt right would be one that is not held back. */
const KNOWN: KnownKeys<MCPServerOptions> = {
  name: true,
  version: true,
  log: true,
  limits: true,
  records: true,
  storeFile: true,
  defaults: true,
  guards: true,
  outbound: true,
  connections: true,
  secretVariables: true,
  toolsets: true,
  all: true,
  compact: true,
  roots: true,
  readOnlyRoots: true,
  readOnly: true,
  ...LIMIT_NAMES,
  allow: true,
  deny: true,
  effects: true,
  guarded: true,
};

interface Streams {
  readonly input?: Readable;
  readonly output?: Writable;
  readonly signal?: AbortSignal;
}

const STREAMS: KnownKeys<Streams> = { input: true, output: true, signal: true };

/** Offers the actions of a registry to an MCP host, which is never the owner: by default it reaches the files of the working directory. */
export class MCPServer {
  readonly #factotum: Instance;
  readonly #approvals: UserApprovals;
  readonly #house: McpHouse;
  readonly #options: McpOptions;
  #mailbox: Promise<Mailbox> | undefined;

  /** Without a registry it is the one that the plain functions share. */
  constructor(registry?: Registry | null, given: MCPServerOptions = {}) {
    demandKnownKeys(given, KNOWN, 'MCPServer');
    const { name = OWN_IDENTITY.name, version = OWN_IDENTITY.version, log, limits, records, storeFile, ...others } = given;
    const { defaults, guards, outbound, connections, secretVariables, ...options } = others;
    const roots = (options.roots ?? [process.cwd()]).map((root) => resolve(root));
    const first = roots[0] ?? options.readOnlyRoots?.[0];
    this.#approvals = openApprovals(storeFile);
    this.#factotum = createInstance({
      approvals: this.#approvals,
      forgetsNothing: true, // a host ends its server whenever it likes
      registry: registry ?? sharedFactotum().registry,
      ...(first !== undefined && { cwd: first }),
      ...(log !== undefined && { log }),
      ...(defaults !== undefined && { defaults }),
      ...(guards !== undefined && { guards }),
      ...(outbound !== undefined && { outbound }),
      ...(connections !== undefined && { connections }),
      ...(secretVariables !== undefined && { secretVariables }),
      ...(records !== undefined && { journalOf: records.journalOf }),
    });
    if (records !== undefined) keepRecords(records, this.#factotum);
    this.#house = { ...this.#factotum, identity: { name, version }, limits };
    const { fixed, shut } = houseFiles({ cwd: process.cwd(), storeFile });
    const { fixed: alsoFixed = [], shut: alsoShut = [] } = options.guarded ?? {};
    this.#options = { ...options, roots, guarded: { fixed: [...fixed, ...alsoFixed], shut: [...shut, ...alsoShut] } };
    const assistant = assistantOf(this.#options, OWNER);
    this.#factotum.callers.set(assistant.name, assistant);
  }

  /** Serves one host over lines of JSON until it leaves or the signal comes. Meanwhile nothing else is printed on standard output. */
  async serveStdio(streams: Streams = {}): Promise<void> {
    demandKnownKeys(streams, STREAMS, 'serveStdio');
    const { input = process.stdin, output = process.stdout, signal } = streams;
    const [parts, { serveStdio }] = await Promise.all([mcpParts(this.#house, this.#options), import('../../servers/mcp/stdio.ts')]);
    await serveStdio(parts, { input, output, signal });
  }

  /** Answers one message of a host; undefined for notifications and for a request that is cancelled. All belong to one connection. */
  async handleMessage(message: unknown): Promise<unknown> {
    this.#mailbox ??= this.#openMailbox();
    return (await this.#mailbox).post(message);
  }

  /** Cancels what runs and ends the connection of `handleMessage`. */
  async close(): Promise<void> {
    await (await this.#mailbox)?.close();
    await this.#factotum.close();
    await this.#approvals[Symbol.asyncDispose]();
  }

  async #openMailbox(): Promise<Mailbox> {
    const [parts, { openMailbox }] = await Promise.all([mcpParts(this.#house, this.#options), import('../../servers/mcp/mailbox.ts')]);
    return openMailbox(parts);
  }
}

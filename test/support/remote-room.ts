import type { Caller } from '../../src/access/caller.ts';
import { createInstance } from '../../src/app/create.ts';
import type { Instance } from '../../src/app/instance/instance.ts';
import type { ConnectionGiven, ConnectionType } from '../../src/core/ports/connections.ts';
import type { RunResult } from '../../src/core/result.ts';
import { createMemory, openMemory } from '../../src/storage/backends/memory.ts';
import { type TempDir, tempDir } from './temp-dir.ts';

/** An instance whose services elsewhere are memories: what actions do is seen without a server. */
export interface RemoteRoom extends AsyncDisposable {
  readonly dir: TempDir;
  readonly factotum: Instance;
  /** What connections were opened with. */
  readonly opened: readonly ConnectionGiven[];
  run(list: readonly unknown[], options?: { readonly dryRun?: boolean; readonly caller?: Caller }): Promise<RunResult>;
  /** The values of commands, or the types of their errors with what they are about. */
  told(list: readonly unknown[], options?: { readonly dryRun?: boolean; readonly caller?: Caller }): Promise<unknown[]>;
}

/** `[connections.nas]` is of this type; what callers open is another memory. */
export const openRemoteRoom = (type: ConnectionType, files: Readonly<Record<string, string>> = {}): RemoteRoom => {
  const dir = tempDir(files);
  const configured = createMemory();
  const own = createMemory();
  const opened: ConnectionGiven[] = [];
  const factotum = createInstance({
    cwd: dir.path,
    log: { level: 'silent' },
    env: { XDG_STATE_HOME: dir.at('.state') },
    connections: {
      // Only its type is looked at here.
      tables: { nas: { type } } as never,
      resolve: async (text) => text,
      backends: {
        async [type](given: ConnectionGiven, { location }: { readonly location: string }) {
          opened.push(given);
          return openMemory({ memory: location.includes('+') ? configured : own, location });
        },
      },
    },
  });
  const run: RemoteRoom['run'] = (list, options) => factotum.run(list, options);
  return {
    dir,
    factotum,
    opened,
    run,
    async told(list, options) {
      const { results } = await run(list, options);
      return results.map(({ value, error }) => (error === undefined ? value : `${error.type} ${String(error.context.code ?? '')}`.trim()));
    },
    async [Symbol.asyncDispose]() {
      await factotum.close();
      dir[Symbol.dispose]();
    },
  };
};

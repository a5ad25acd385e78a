import { type Action, defineAction } from '../../core/action.ts';
import type { Args, Bound } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import type { Json } from '../../core/errors.ts';
import type { Example } from '../../core/example.ts';
import type { ConnectionType } from '../../core/ports/connections.ts';
import * as shapes from '../../core/shapes.ts';

/** How the action is told apart that opens a connection. */
export interface LaterInit<A extends Args> {
  readonly type: ConnectionType;
  readonly name: string;
  readonly server: string;
  readonly args: A;
  readonly example: Example<A>;
}

const ONLY_NOW = 'for what it opens ends with this process and its secrets are stored nowhere; name a connection of [connections] instead';

/** Opens a connection of the caller's own. Arguments that name files are read here, as the caller may. */
export const laterInit = <A extends Args>({ type, name, server, args, example }: LaterInit<A>): Action => {
  const open = async (ctx: Context, given: Bound<A>): Promise<null> => {
    await ctx.connections.open(type, await withContents(ctx, given as Bound<Args>));
    return null;
  };
  return defineAction({
    name,
    summary: `Opens a connection to ${server}, which is the default of this caller until it is closed or 30 minutes unused.`,
    args,
    returns: shapes.nothing(),
    reachesOut: true,
    onlyNow: ONLY_NOW,
    examples: [example],
    plan: open,
    run: open,
  });
};

/** Closes it again. */
export const closeVerb = ({ type, server }: Pick<LaterInit<Args>, 'type' | 'server'>): Action => {
  const close = async ({ connections }: Context): Promise<true> => {
    await connections.close(type);
    return true;
  };
  return defineAction({
    name: `FA_${type}_close`,
    summary: `Closes the connection to ${server} that this caller has opened; none need be open.`,
    args: {},
    returns: shapes.flag(),
    idempotent: true,
    reachesOut: true,
    onlyNow: ONLY_NOW,
    examples: [{ args: {}, value: true }],
    plan: close,
    run: close,
  });
};

/** Arguments that name files, and under which name their contents are wanted. */
const FILES: Readonly<Record<string, string>> = { key_filename: 'private_key', known_hosts: 'known_hosts' };

const withContents = async ({ files }: Context, args: Bound<Args>): Promise<Record<string, Json>> => {
  const given: Record<string, Json> = {};
  for (const [key, value] of Object.entries(args)) {
    if (value === null || value === undefined) continue;
    const content = FILES[key];
    if (content !== undefined) given[content] = (await files.read(String(value))).toString('utf8');
    else given[key] = value as Json; // it came in as JSON
  }
  return given;
};

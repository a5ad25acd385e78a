import { HARMLESS_CHANGES, HARMLESS_READS } from './idempotent.generated.ts';

/**
 * Whether a request does no harm when it runs twice. Nobody knows after a lost connection whether it ran.
 * Dry runs and lists that only read may always be repeated. One command that changes something may, when running it again is harmless
 * and it is written out in full: with a reference it could do another thing each time. Two changes may undo each other's conditions
 * (copy a over b, then write a), so a list with several is never repeated.
 */
export const isRepeatable = (request: unknown): boolean => {
  if (isRecord(request) && request.dry_run === true) return true;
  const names = commandsOf(request)?.map((command) => (Array.isArray(command) ? String(command[0]) : ''));
  const others = names?.filter((name) => !HARMLESS_READS.has(name));
  if (others === undefined || others.length > 1) return false;
  const [change] = others;
  return change === undefined || (HARMLESS_CHANGES.has(change) && !JSON.stringify(request).includes('${'));
};

/** The commands at the top of a request; undefined where it is none. */
const commandsOf = (request: unknown): readonly unknown[] | undefined => {
  if (Array.isArray(request)) return request;
  if (!isRecord(request)) return undefined;
  const { nodes, actions, auto_control } = request;
  if (Array.isArray(nodes)) return nodes.map((node: unknown) => (isRecord(node) ? node.action : undefined));
  return [actions, auto_control].find(Array.isArray);
};

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === 'object' && value !== null;

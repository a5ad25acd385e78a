import { getHeapStatistics } from 'node:v8';
import type { Policy } from '../../../access/policy.ts';
import { restorePolicy } from '../../../access/restore-policy.ts';
import type { FilePort } from '../../../core/files.ts';
import type { LossTeller } from '../../../core/journal.ts';
import { openSharedBudget } from '../../../core/quota.ts';
import type { Ready } from '../../../core/ready.ts';
import type { Registry } from '../../../core/registry.ts';
import { placeAnywhere, placeInside } from '../../../files/place.ts';
import { createRealFiles } from '../../../files/real.ts';
import { packFault, unpackFault } from '../../../lib/workers/messages.ts';
import { endSharedPool } from '../../../lib/workers/pool.ts';
import { permit } from '../../../pipeline/command/permit.ts';
import { answerFrom } from '../far-files.ts';
import { bytesOfHeap } from '../heap-bytes.ts';
import type { CommandOrder, FromRunner, PlanOrder, Telling, ToRunner } from '../messages.ts';
import { foreseeList } from './foresee-list.ts';
import { createHouseLink } from './link.ts';
import { createOrderContext, type OrderContext } from './order-context.ts';
import { createThreadJournals } from './thread-journals.ts';

export interface ServeParts {
  readonly registry: Registry;
  readonly cwd: string;
  send(message: FromRunner): void;
  /** Nothing more will be ordered. */
  end(): void;
  onEndedThread(tag: string): void;
}

const REST_MS = 10_000;

/** Answers what the house orders; gives what takes its messages. */
export const serveOrders = ({ registry, cwd: usualCwd, send, end, onEndedThread }: ServeParts): ((message: ToRunner) => void) => {
  const link = createHouseLink(send);
  const journals = createThreadJournals(link);
  const policies = new Map<number, Policy>();
  const underWay = new Map<number, { readonly stop: AbortController; readonly context?: OrderContext }>();

  /** Threads for bulk work cost memory: those of one that has had nothing to do for a while go. */
  let resting: NodeJS.Timeout | undefined;
  const began = (id: number, work: { readonly stop: AbortController; readonly context?: OrderContext }): void => {
    clearTimeout(resting);
    underWay.set(id, work);
  };
  const ended = (id: number): void => {
    underWay.delete(id);
    if (underWay.size === 0) resting = setTimeout(() => void endSharedPool(), REST_MS).unref();
  };

  const policyOf = ({ policy }: Pick<CommandOrder, 'policy'>): Policy | undefined => {
    if (policy === undefined) return undefined;
    if (policy.form !== undefined) policies.set(policy.id, restorePolicy(policy.form));
    return policies.get(policy.id);
  };

  const openFiles = (order: CommandOrder, policy: Policy | undefined, { change, attribute }: LossTeller): FilePort => {
    const { runId, cwd = usualCwd, journal: wanted, budget: shared } = order;
    const journal = wanted && journals.of(runId, wanted);
    return createRealFiles({
      cwd,
      policy,
      place: policy === undefined ? placeAnywhere : placeInside(policy),
      budget: shared && openSharedBudget(shared),
      journal: journal?.forCommand?.(change) ?? journal,
      onLost: attribute,
    });
  };

  const carryOut = async (order: CommandOrder): Promise<void> => {
    const { id, action: name, cwd = usualCwd } = order;
    const stop = new AbortController();
    const policy = policyOf(order);
    const context = createOrderContext({ order, signal: stop.signal, cwd, link, openFiles: (teller) => openFiles(order, policy, teller) });
    began(id, { stop, context });
    try {
      if (order.asked !== undefined) {
        send({ kind: 'done', id, value: await answerFrom(context.files, order.asked) });
        return;
      }
      const ready = registry.resolve(name) ?? (await loaded(registry, name));
      const args = withBuffers(order.args);
      if (policy !== undefined) permit(ready, args, policy, () => context.files);
      const value = await ready.action.run(context, args);
      send({ kind: 'done', id, value, ...extrasOf(context) });
    } catch (fault) {
      send({ kind: 'failed', id, fault: packFault(fault), ...extrasOf(context) });
    } finally {
      ended(id);
    }
  };

  const plan = async (order: PlanOrder): Promise<void> => {
    const { id } = order;
    const stop = new AbortController();
    began(id, { stop });
    try {
      const policy = policyOf(order);
      const tell = (telling: Telling) => send({ kind: 'tell', id, telling });
      const value = await foreseeList(order, { registry, cwd: usualCwd, policy, signal: stop.signal, tell });
      send({ kind: 'done', id, value });
    } catch (fault) {
      send({ kind: 'failed', id, fault: packFault(fault) });
    } finally {
      ended(id);
    }
  };

  const closing = new Set<Promise<void>>();
  const close = async (runId: string, call: number): Promise<void> => {
    try {
      await journals.close(runId);
      send({ kind: 'closed', call });
    } catch (fault) {
      send({ kind: 'closed', call, fault: packFault(fault) });
    }
  };

  const keepUntilDone = (work: Promise<void>): void => {
    closing.add(work);
    void work.finally(() => closing.delete(work));
  };

  return (message) => {
    switch (message.kind) {
      case 'order':
        return void carryOut(message.order);
      case 'plan':
        return void plan(message.order);
      case 'abort':
        return underWay.get(message.id)?.stop.abort(unpackFault(message.fault));
      case 'answer':
      case 'refusal':
        return link.answered(message);
      case 'progress_cancelled':
        return underWay.get(message.id)?.context?.cancelProgress(message.entry);
      case 'close':
        return keepUntilDone(close(message.runId, message.call));
      case 'ping':
        return send({ kind: 'pong', heapBytes: bytesOfHeap(getHeapStatistics()) });
      case 'ended_thread':
        return onEndedThread(message.tag);
      case 'end':
        return void Promise.all(closing).then(end);
    }
  };
};

const extrasOf = (context: OrderContext): { readonly extras?: ReturnType<OrderContext['extras']> & object } => {
  const extras = context.extras();
  return extras === undefined ? {} : { extras };
};

const loaded = async (registry: Registry, name: string): Promise<Ready> => {
  await registry.load([name]);
  const ready = registry.resolve(name);
  if (ready === undefined) throw new Error(`no built-in action is called ${name}`);
  return ready;
};

/** Bytes among the arguments were buffers; messages make plain arrays of them. */
const withBuffers = (args: CommandOrder['args']): Record<string, unknown> => {
  const own = { ...args };
  for (const [key, value] of Object.entries(own))
    if (value instanceof Uint8Array) own[key] = Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return own;
};

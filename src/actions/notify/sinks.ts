import { defineAction } from '../../core/action.ts';
import { record, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { notificationsOf } from './notifications.ts';

const description = shapes.record(shapes.json());
const TELEGRAM = { type: 'telegram', name: 'ops', bot_token: '${env:BOT_TOKEN:-123:example}', chat_id: '-1001' };

export const notifyList = defineAction({
  name: 'FA_notify_list',
  summary: 'Lists the sinks without their secrets.',
  args: {},
  returns: shapes.list(description),
  idempotent: true,
  examples: [{ args: {}, value: [] }],
  run: async (ctx) => [...(await notificationsOf(ctx).list())],
});

export const notifyRegister = defineAction({
  name: 'FA_notify_register',
  summary: 'Adds a sink, or replaces one that was added, until the service stops; those of the configuration stay.',
  args: {
    // A sink leads out of the house: the role refuses it to callers that may not reach every machine.
    sink: record('The sink, with the keys of `[[notify.sinks]]`; private networks are opened by the configuration only.', shapes.json(), {
      role: 'host',
    }),
  },
  returns: description,
  idempotent: true,
  reserved: true,
  examples: [{ args: { sink: TELEGRAM }, value: { name: 'ops', type: 'telegram', chat_id: '-1001' } }],
  plan: () => {}, // nothing is sent to it yet
  run: (ctx, { sink }) => notificationsOf(ctx).register(sink),
});

export const notifyUnregister = defineAction({
  name: 'FA_notify_unregister',
  summary: 'Removes a sink; tells whether it was there.',
  args: { name: text('The name of the sink.') },
  returns: shapes.flag(),
  idempotent: true,
  reserved: true,
  examples: [
    { about: 'a sink that is there', after: [['FA_notify_register', { sink: TELEGRAM }]], args: { name: 'ops' }, value: true },
    { about: 'one that is not', args: { name: 'nobody' }, value: false },
  ],
  run: (ctx, { name }) => notificationsOf(ctx).unregister(name),
});

export const notifyUnregisterAll = defineAction({
  name: 'FA_notify_unregister_all',
  summary: 'Removes all sinks and forgets which messages were sent lately; tells how many there were.',
  args: {},
  returns: shapes.integer(),
  idempotent: true,
  reserved: true,
  examples: [{ after: [['FA_notify_register', { sink: TELEGRAM }]], args: {}, value: 1 }],
  run: (ctx) => notificationsOf(ctx).unregisterAll(),
});

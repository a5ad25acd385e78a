import { defineAction } from '../../core/action.ts';
import { list, oneOf, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { notificationsOf } from './notifications.ts';

export const notifySend = defineAction({
  name: 'FA_notify_send',
  summary: 'Sends a message to every sink and tells what became of it at each.',
  args: {
    subject: text('What it is about, in one line.', { minLength: 1, isContent: true }),
    body: text('The message itself.', { default: '', isContent: true }),
    level: oneOf('How important it is.', ['info', 'warning', 'error'], { default: 'info' }),
    // The only places it goes to: the role makes the action count as one that uses the network.
    sinks: list('Names of the sinks that get it; left out, all of them.', shapes.text({ minLength: 1 }), { default: null, role: 'sink' }),
  },
  returns: shapes.record(shapes.text()),
  examples: [{ args: { subject: 'Backup done', body: 'All 12 folders are copied.' } }],
  plan: ({ notYetKnown }) => notYetKnown('which sinks take the message'),
  run: (ctx, { subject, body, level, sinks }) => notificationsOf(ctx).send({ subject, body, level }, sinks ?? undefined),
});

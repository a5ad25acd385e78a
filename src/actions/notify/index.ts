// Telling people: send a message, see and change who gets it. Sinks, outbox and formats live in services/notify and reach
// actions through ctx.services.
import { defineFamily } from '../../core/action.ts';
import { notifySend } from './notify-send.ts';
import { notifyList, notifyRegister, notifyUnregister, notifyUnregisterAll } from './sinks.ts';

export const notify = defineFamily({
  name: 'notify',
  group: 'notify',
  summary: 'Messages to people: send, and manage the sinks that carry them.',
  actions: [notifySend, notifyList, notifyRegister, notifyUnregister, notifyUnregisterAll],
});

// Lists that wait to be run, one after the other, whatever happens to the process. They are kept in services/queue and reach actions
// through ctx.services; what runs them by itself is the dispatcher there. Read enqueue.ts first.
import { defineFamily } from '../../core/action.ts';
import { queueAck, queueDequeue, queueNack } from './claimed.ts';
import { queueEnqueue } from './enqueue.ts';
import { queueDeadLetters, queuePurge, queueSize } from './looking.ts';

export const queue = defineFamily({
  name: 'queue',
  group: 'state',
  summary: 'Lists that wait to be run: queue, claim, finish, give back, count, clear.',
  actions: [queueEnqueue, queueDequeue, queueAck, queueNack, queueSize, queuePurge, queueDeadLetters],
});

// The writer's thread of a serving process: it waits for the disk, so that the event loop need not.
import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { packFault } from '../../../lib/workers/messages.ts';
import { type ExitGate, leaveGate, passGate } from './exit-gate.ts';
import { openSession, type Session } from './session.ts';
import type { FromWriter, NumberedCall, ToWriter, WriterStart } from './thread-messages.ts';

const serve = (port: MessagePort, session: Session, gate: ExitGate): void => {
  const say = (message: FromWriter) => port.postMessage(message);

  const answer = (calls: readonly NumberedCall[]): void => {
    if (calls.length === 0) return;
    const answers = session.answer(calls.map(({ call }) => call));
    say({
      kind: 'answers',
      answers: calls.map(({ id }, at) => {
        const found = answers[at];
        return found !== undefined && 'value' in found ? { id, value: found.value } : { id, fault: packFault(found?.fault) };
      }),
    });
  };

  const close = (): void => {
    try {
      session.close();
      say({ kind: 'closed' });
    } catch (fault) {
      say({ kind: 'closed', fault: packFault(fault) });
    }
    port.close();
  };

  const take = (first: ToWriter): void => {
    const calls: NumberedCall[] = [];
    // What came while the last commit waited for the disk goes into one commit now.
    for (let message: ToWriter | undefined = first; message !== undefined; message = receiveMessageOnPort(port)?.message) {
      if (message.kind === 'calls') {
        for (const each of message.calls) calls.push(each);
        continue;
      }
      answer(calls);
      close();
      return;
    }
    answer(calls);
  };

  port.on('message', (first: ToWriter) => passGate(gate, () => take(first)));
  say({ kind: 'opened' });
};

if (parentPort !== null) {
  const { options, gate } = workerData as WriterStart; // as thread-link.ts hands it over
  let session: Session | undefined;
  try {
    session = openSession(options);
  } catch (fault) {
    parentPort.postMessage({ kind: 'refused', fault: packFault(fault) } satisfies FromWriter);
  }
  leaveGate(gate);
  if (session !== undefined) serve(parentPort, session, gate);
}

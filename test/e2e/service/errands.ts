/** A request of a client that wants something done once. */
export interface Errand {
  readonly kind: 'run' | 'action' | 'item' | 'plain';
  readonly id: string;
  /** Its commands, each of which leaves one of these lines. */
  readonly marks: readonly string[];
  /** The run that the service has acknowledged. */
  runId?: string;
}

const KINDS = ['run', 'action', 'item', 'plain'] as const;

/** The errand of that number: in the background, waited for, put on the queue, or waited for without a key. */
export const newErrand = (at: number): Errand => {
  const kind = KINDS[at % KINDS.length] ?? 'run'; // the remainder is always one of them
  return { kind, id: `${kind}-${at}`, marks: [`${kind} ${at} first`, `${kind} ${at} second`] };
};

const bodyOf = ({ kind, marks: [first, second] }: Errand): unknown => {
  const list = [['kill_mark', [first]], ['FA_progress_list'], ['kill_mark', [second]]];
  return kind === 'item' ? [['FA_queue_enqueue', { action: list }]] : list;
};

/** Goes on an errand; rejects where the service is gone. Without a key it is not repeated by anybody. */
export const goOn = async (errand: Errand, url: string): Promise<void> => {
  const answer = await fetch(`${url}/${errand.kind === 'run' ? 'runs' : 'actions'}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...(errand.kind !== 'plain' && { 'Idempotency-Key': errand.id }) },
    body: JSON.stringify(bodyOf(errand)),
  });
  await answer.text();
  if (answer.ok) errand.runId = answer.headers.get('x-run-id') ?? '';
  // The same errand is under way since the last life of the service.
  else if (answer.status !== 409) throw new Error(`Errand ${errand.id} was answered with ${answer.status}.`);
};

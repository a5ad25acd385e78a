import { wordsOf } from '../../../access/shares.ts';
import { MCPServerException } from '../../../core/errors.ts';
import type { RunResult } from '../../../core/result.ts';
import type { Wait } from '../../turnstile.ts';
import type { McpParts } from '../parts.ts';
import { followProgress, type ProgressReport } from './follow-progress.ts';
import type { ToolCall } from './tool.ts';

/** Runs a request for a caller and tells of its progress; the result shows no known secret. */
export const runRequest = async (
  { gateway, turnstile, masker, progress, newRunId }: McpParts,
  request: unknown,
  { caller, signal, report }: ToolCall,
): Promise<RunResult> => {
  const wait = turnstile.enter(caller);
  if (wait !== undefined) throw mustWait(wait);
  const runId = newRunId();
  const tell = report && ((state: ProgressReport) => report({ ...state, message: masker.knownText(state.message) }));
  const follower = tell && followProgress(progress, { runId, caller: caller.name }, tell);
  try {
    const result = await gateway.run(request, { caller, signal, source: 'mcp', runId });
    return masker.known(result) as RunResult; // masking keeps the shape
  } finally {
    await follower?.stop();
    turnstile.leave(caller);
  }
};

const mustWait = ({ reason, retryAfterS, share }: Wait) =>
  new MCPServerException(share === undefined ? `${WORDS[reason]}; try again in ${retryAfterS} s.` : wordsOf(share), {
    context: { reason, retry_after_s: retryAfterS },
    retryable: true,
  });

const WORDS: Readonly<Record<Wait['reason'], string>> = {
  draining: 'The server is closing',
  busy: 'Too many lists are under way',
  share: 'This caller has too many lists under way',
  rate: 'This caller has sent too many lists in this minute',
};

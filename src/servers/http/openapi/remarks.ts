/** What is worth knowing of an operation beyond its summary, by its id. */
const REMARKS: Readonly<Record<string, string>> = {
  runActions:
    'The answer comes when all commands have ended. A failed command is told in the result, with 200; only a request that is refused as a whole is a problem.',
  ping: 'Nothing runs and nothing is recorded; a wrong or missing secret is refused as it would be for a list.',
  listActions: 'Each entry holds the arguments and the value as JSON Schema, the effects and examples that run.',
  describeAction: 'The entry of one action out of the catalogue.',
  startRun: 'The run goes on when the client has gone; its record and its events tell what becomes of it.',
  listRuns: 'One page at a time; the cursor of a page asks for the next one.',
  getRun: 'The list as it was written, how each command ended, and who started it from where.',
  followRun: 'A client that was cut off goes on where it stopped, by the id of the last event it has seen.',
  cancelRun: 'What waits is not begun; what runs is told to stop and awaited. The answer holds the id of the same run.',
  resumeRun: 'What ended well is not run again but shown as reused. The answer holds the id of the new run.',
  undoRun:
    'Changes of local files are taken back in reverse order; what was changed since is left alone and told. Undoing is a run itself.',
  health: 'For a supervisor that restarts what no longer answers.',
  ready: 'For a balancer that sends no lists to a service that starts or ends.',
  openApi: 'It describes the built-in actions of this version and needs no secret.',
  followProgress: 'A request that asks for no WebSocket is refused with 426.',
  metrics: 'On a loopback address collectors need no secret.',
};

interface Operation {
  readonly operationId: string;
}

/** The paths with a description for every operation. */
export const withRemarks = (paths: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    Object.entries(paths).map(([path, operations]) => [
      path,
      Object.fromEntries(
        // Written in this folder, each with its id.
        Object.entries(operations as Record<string, Operation>).map(([method, operation]) => [
          method,
          { ...operation, description: REMARKS[operation.operationId] },
        ]),
      ),
    ]),
  );

/** Whether a request asks only to be told what would happen. */
export const isDryRun = (request: unknown): boolean =>
  typeof request === 'object' && request !== null && 'dry_run' in request && request.dry_run === true;

/** Aborts with the first of two; `forget` leaves nothing behind on the one that lives longer. */
export const eitherOf = (one: AbortSignal, other: AbortSignal): { readonly signal: AbortSignal; forget(): void } => {
  const controller = new AbortController();
  const abort = () => controller.abort(one.aborted ? one.reason : other.reason);
  if (one.aborted || other.aborted) abort();
  one.addEventListener('abort', abort, { once: true });
  other.addEventListener('abort', abort, { once: true });
  return {
    signal: controller.signal,
    forget() {
      one.removeEventListener('abort', abort);
      other.removeEventListener('abort', abort);
    },
  };
};

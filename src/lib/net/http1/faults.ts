/** What went wrong between us and a server; `code` tells whether it may pass (core/transient.ts). */
export const lineFault = (code: string, message: string): Error => Object.assign(new Error(message), { code });

/** The server sent what HTTP does not allow. */
export const badAnswer = (what: string): Error => lineFault('HPE_INVALID_ANSWER', `the answer ${what}`);

/** The connection ended before the answer did. */
export const cutOff = (): Error => lineFault('ECONNRESET', 'the connection ended before the answer did');

/** Nothing came for too long. */
export const silent = (ms: number): Error => lineFault('ETIMEDOUT', `nothing came for ${ms / 1000} s`);

/** Set by the build: true in the command line, false in the library. */
declare const FACTOTUM_OWN_PROCESS: boolean | undefined;

/**
 * Whether this process is ours. What holds for a whole process, such as flags of V8, is changed only there: in the program of
 * somebody who uses the library it would change what their own code means.
 */
export const isOwnProcess: boolean = typeof FACTOTUM_OWN_PROCESS === 'undefined' || FACTOTUM_OWN_PROCESS;

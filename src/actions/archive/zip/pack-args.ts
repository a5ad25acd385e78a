import { bytes } from '../../../core/args.ts';

/** The optional password of an action that writes a zip file. */
export const packPassword = bytes('Encrypt the contents with AES-256 under this password.', { default: null, role: 'secret' });

/** The optional password of an action that reads one. */
export const readPassword = bytes('The password, for archives that have one.', { default: null, role: 'secret' });

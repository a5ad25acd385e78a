import { hash } from 'node:crypto';

/** The name under which bulk work keeps an old file, by its path from the root: whoever works and whoever wrote it down find the same. */
export const keptName = (relative: string): string => hash('sha256', relative, 'base64url');

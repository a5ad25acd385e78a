// Written by `npm run generate` from package.json.

/** The version of the package. */
export const VERSION = '0.1.0';

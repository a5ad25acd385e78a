/** The version of the package, for what tells it to others. */
export const versionSource = (manifest: string): string => `// Written by \`npm run generate\` from package.json.

/** The version of the package. */
export const VERSION = '${JSON.parse(manifest).version}';
`;

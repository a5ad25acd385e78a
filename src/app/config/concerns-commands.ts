/** The sections that only services follow. One that is not listed, as a misspelt one, has its file read. */
const OF_SERVICES = 'log|server|http|tcp|metrics|dashboard|mcp|engine|worker|tokens|schedules|watchers';

/** `[store]`, `[[notify.sinks]]`, also where a line of a list or of a long text only looks like one. */
const OTHER_TABLE = new RegExp(`^[ \\t\uFEFF]*\\[{1,2}(?!\\[|[ \\t]*(?:${OF_SERVICES})[ \\t]*[\\].])`, 'm');
/** `store.history = false` before the first table. */
const OTHER_KEY = new RegExp(`^[ \\t\uFEFF]*(?!(?:${OF_SERVICES})[ \\t]*[.=])[^\\s#]`, 'm');

/** Whether a configuration may say anything that a command of the command line has to know: to read it all takes as long as a short list. */
export const concernsCommands = (toml: string): boolean => {
  const firstTable = toml.search(/^[ \t\uFEFF]*\[/m);
  return OTHER_TABLE.test(toml) || OTHER_KEY.test(firstTable === -1 ? toml : toml.slice(0, firstTable));
};

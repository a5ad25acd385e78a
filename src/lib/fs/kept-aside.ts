/** The name of the directories in which old files of runs are kept on other file systems than that of the state directory. */
export const keptAsideName = (): string => `.factotum-undo-${process.getuid?.() ?? 0}`;

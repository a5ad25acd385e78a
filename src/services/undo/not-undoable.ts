import type { Note, Outcome } from '../../core/result.ts';

/** What commands have noted of themselves, and of the nested lists that they ran. */
type Noted = Pick<Outcome, 'notes' | 'steps'>;

/** What commands of a run have said that cannot be undone. */
export const notUndoable = (commands: readonly Noted[]): Note[] =>
  commands.flatMap(({ notes = [], steps = [] }) => [
    ...notes.filter(({ kind }) => kind === 'not_undoable'),
    ...[steps].flat().flatMap(({ results }) => notUndoable(results)),
  ]);

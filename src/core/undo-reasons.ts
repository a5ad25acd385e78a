/** Why something cannot be taken back: the same words in a plan, in an answer and when a run is undone. */
export const UNDO_REASONS = {
  tooLarge: 'it would exceed the bytes that a run may keep ([store] undo_bytes)',
  tooMany: 'it would exceed the number of files that a run may keep ([store] undo_files)',
  noRoom: 'its device has too little room left to keep it',
  unnamed: 'its name is no text',
  notRecorded: 'this run could not be recorded',
  byProgram: 'what programs do is in no journal',
  byNetwork: 'what other machines do is in no journal',
} as const;

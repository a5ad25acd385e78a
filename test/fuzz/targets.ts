import type { Target } from './target.ts';
import { answers } from './targets/answers.ts';
import { archives } from './targets/archives.ts';
import { data } from './targets/data.ts';
import { doors } from './targets/doors.ts';
import { lists } from './targets/lists.ts';
import { smbAnswers } from './targets/smb-answers.ts';
import { words } from './targets/words.ts';

/** Everything that reads what others send, by name. */
export const TARGETS: Readonly<Record<string, Target>> = { ...lists, ...doors, ...archives, ...data, ...words, ...answers, ...smbAnswers };

import type { RE2JS } from 're2js';
import type { Find } from './match.ts';
import type { RegexFlags } from './translate.ts';

/** A pattern as RE2 reads it. */
export interface Judged {
  readonly find: Find;
  readonly groupCount: number;
  readonly groupNames: ReadonlyMap<string, number>;
  /** Whether a match can hold a line end; if not, each line can be searched for itself. */
  readonly mayCrossLines: boolean;
  /** Size of the compiled pattern: a search takes at most time in proportion to it and to the text. */
  readonly steps: number;
}

/** Why RE2 refuses a pattern. */
export interface Refused {
  readonly why: string;
}

/** Compiles a pattern with RE2, which runs everything it accepts in linear time. */
export const judge = async (pattern: string, { ignoreCase, multiline, dotAll }: RegexFlags): Promise<Judged | Refused> => {
  const { RE2JS: Re2, RE2JSException } = await import('re2js');
  const flags = (ignoreCase ? Re2.CASE_INSENSITIVE : 0) | (multiline ? Re2.MULTILINE : 0) | (dotAll ? Re2.DOTALL : 0);
  try {
    return judgedOf(Re2.compile(pattern, flags));
  } catch (fault) {
    if (fault instanceof RE2JSException) return { why: reasonOf(fault, pattern) };
    throw fault;
  }
};

/** One step of a compiled pattern; those that take no character match none. */
interface Step {
  matchRune(point: number): boolean;
}

const judgedOf = (compiled: RE2JS): Judged => {
  const groupCount = compiled.groupCount();
  const steps: readonly Step[] = compiled.re2().prog.inst;
  return {
    groupCount,
    groupNames: new Map(Object.entries(compiled.namedGroups())),
    mayCrossLines: steps.some((step) => step.matchRune(LINE_END)),
    steps: steps.length,
    find: (text, from) => {
      const matcher = compiled.matcher(text);
      if (!matcher.find(from)) return undefined;
      const groups = Array.from({ length: groupCount + 1 }, (_, group) => matcher.group(group) ?? undefined);
      return { start: matcher.start(), end: matcher.end(), groups };
    },
  };
};

const LINE_END = 0x0a;

const reasonOf = (fault: Error, pattern: string): string => {
  if (/\(\?<?[=!]/.test(pattern)) return 'looking ahead or behind is not supported';
  if (/\\[1-9]/.test(pattern)) return 'a reference back to a group is not supported';
  return fault.message.replace(/^error parsing regexp: /, '');
};

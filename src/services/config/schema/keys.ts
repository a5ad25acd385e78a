import { z } from 'zod';
import { isWellReferred, referencesIn } from '../../../core/secret-reference.ts';
import { startsAtHome } from '../../../core/starts-at-home.ts';

// What is said of a key beyond its type travels as an annotation of its JSON Schema: from there come masking, the base of
// relative paths, and the page of the configuration.

/** Marks a path; a relative one counts from the file that says it. */
export const PATH = 'x-path';
/** Marks a text in which `${env:NAME}` and `${file:NAME}` are references. */
export const REFERENCES = 'x-references';
/** Marks a secret, which is never shown. */
export const SECRET = 'writeOnly';

const holdsNoReference = (value: string) => referencesIn(value).length === 0;
const NO_REFERENCE = 'This key takes no references; write the value itself.';
const HOME_NOT_WRITTEN_OUT = 'Write the home directory out: ~ stands for it in shells only.';
const NOT_A_REFERENCE = 'References are ${env:NAME} and ${file:NAME}; write $${ where the characters themselves are meant.';

/** A text as it stands: nothing in it is replaced. */
export const plain = (description: string) => z.string().min(1).refine(holdsNoReference, NO_REFERENCE).meta({ description });

/** A text that may hold references. */
export const text = (description: string) =>
  z
    .string()
    .min(1)
    .refine(isWellReferred, NOT_A_REFERENCE)
    .meta({ description, [REFERENCES]: true });

/** A text that is masked wherever it would be shown; best given as a reference. */
export const secret = (description: string) =>
  z
    .string()
    .min(1)
    .refine(isWellReferred, NOT_A_REFERENCE)
    .meta({ description, [REFERENCES]: true, [SECRET]: true });

/** A path of this machine. */
export const path = (description: string) =>
  z
    .string()
    .min(1)
    .refine(holdsNoReference, NO_REFERENCE)
    .refine((value) => !startsAtHome(value), HOME_NOT_WRITTEN_OUT)
    .meta({ description, [PATH]: true });

/** A name that others refer to, safe in file names and labels. */
export const name = (description: string) =>
  z
    .string()
    .regex(/^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/, 'Use up to 64 letters, digits, - and _, beginning with a letter or digit.')
    .meta({ description });

/** Several of the same. */
export const several = <T extends z.ZodType>(item: T) => z.array(item).meta({ description: item.description });

/** A yes or no. */
export const flag = (description: string) => z.boolean().meta({ description });

/** A whole number that counts something; 0 is allowed. */
export const count = (description: string) => z.int().min(0).meta({ description });

/** A whole number of which there is at least one. */
export const atLeastOne = (description: string) => z.int().min(1).meta({ description });

/** How long to wait for something: not for ever, and no longer than a day. */
export const wait = (description: string) => z.number().positive().max(86_400).meta({ description });

/** A length of time. */
export const seconds = (description: string) => z.number().min(0).meta({ description });

/** One of a few words. */
export const oneOf = <const T extends readonly string[]>(choices: T, description: string) => z.enum(choices).meta({ description });

/** A text that somebody else reads, whose words tell what is wrong with it. */
export const readBy = (read: (text: string) => unknown, description: string) =>
  z
    .string()
    .min(1)
    .superRefine((value, report) => {
      try {
        read(value);
      } catch (fault) {
        report.addIssue({ code: 'custom', message: fault instanceof Error ? fault.message : String(fault) });
      }
    })
    .meta({ description });

/** The name of a time zone. */
export const timeZone = (description: string) =>
  z.string().refine(isTimeZone, 'No time zone has this name; write one such as Europe/Vienna.').meta({ description });

const knownZones = new Set<string>();

/** Asks once for each name: an answer takes kilobytes that V8 does not know of, and thousands of schedules may share a zone. */
const isTimeZone = (name: string): boolean => {
  if (knownZones.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    knownZones.add(name);
    return true;
  } catch {
    return false;
  }
};

/** Refuses a list in which two entries have the same name. */
export const namesAreUnique = (entries: readonly { readonly name: string }[], report: z.RefinementCtx): void => {
  for (const [at, entry] of entries.entries()) {
    if (entries.findIndex(({ name }) => name === entry.name) < at)
      report.addIssue({ code: 'custom', path: [at, 'name'], message: `The name ${entry.name} is taken by an earlier entry.` });
  }
};

import { GrepException } from '../../../core/errors.ts';
import type { Needle } from '../../kernels/find/needle.ts';
import { compileRegex } from '../../regex/compile.ts';
import type { GrepQuery } from './query.ts';
import { isSteadyText, requiredText, steadyPart } from './required-text.ts';

/** How lines that match are found: bytes that they hold, and what to ask of those lines then. */
export interface LineTest {
  /** Undefined where every line has to be looked at. */
  readonly needle: Needle | undefined;
  /** Undefined where the needle says it all. */
  readonly matches: ((line: string) => boolean) | undefined;
}

/** Prepares a search; fails with `GrepException` where the pattern is no regular expression that ends in linear time. */
export const prepareLineTest = async ({
  pattern,
  isRegex,
  ignoreCase,
}: Pick<GrepQuery, 'pattern' | 'isRegex' | 'ignoreCase'>): Promise<LineTest> => {
  if (isRegex) return regexTest(pattern, ignoreCase);
  if (!ignoreCase) return { needle: needleOf(pattern, false), matches: undefined };
  if (isSteadyText(pattern)) return { needle: needleOf(pattern.toLowerCase(), true), matches: undefined };
  const { matches } = await regexTest(pattern.replaceAll(/[\\.+*?()|[\]{}^$]/g, '\\$&'), ignoreCase);
  const steady = steadyPart(pattern);
  return { needle: steady === undefined ? undefined : needleOf(steady, true), matches };
};

const regexTest = async (pattern: string, ignoreCase: boolean): Promise<LineTest> => {
  const regex = await compileRegex(pattern, { ignoreCase, Refusal: GrepException, argument: 'pattern' });
  const required = requiredText(pattern, { ignoreCase });
  return { needle: required && needleOf(required.text, required.ignoreCase), matches: (line) => regex.test(line) };
};

const needleOf = (text: string, ignoreCase: boolean): Needle => ({ bytes: Buffer.from(text), ignoreCase });

import { CronException } from '../../core/errors.ts';
import type { Cron, CronField } from './cron.ts';

interface FieldRule {
  readonly title: string;
  readonly min: number;
  readonly max: number;
  /** How many different values there are: the widest step. */
  readonly span: number;
  /** Names for `min` and what follows it. */
  readonly names: readonly string[];
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const FIELDS: { readonly [F in CronField]: FieldRule } = {
  minute: { title: 'minute', min: 0, max: 59, span: 60, names: [] },
  hour: { title: 'hour', min: 0, max: 23, span: 24, names: [] },
  dom: { title: 'day of month', min: 1, max: 31, span: 31, names: [] },
  month: { title: 'month', min: 1, max: 12, span: 12, names: MONTHS },
  dow: { title: 'weekday', min: 0, max: 7, span: 7, names: WEEKDAYS },
};

const MAX_LENGTH = 256;
const FORM = 'write minute, hour, day of month, month and weekday, such as "30 6 * * mon-fri"';

/** Reads a cron expression of five fields; throws `CronException` naming the field and what it takes. */
export const parseCron = (expression: unknown): Cron => {
  if (typeof expression !== 'string') throw refused('The cron expression is not a text', FORM);
  if (expression.length > MAX_LENGTH) throw refused(`The cron expression is longer than ${MAX_LENGTH} characters`, 'make it shorter');
  if (!/^[\t\x20-\x7e]*$/.test(expression)) throw refused('The cron expression holds a character that is no plain ASCII', FORM, expression);
  const fields = expression.split(/[ \t]+/).filter((field) => field !== '');
  if (fields.length !== 5) throw refused(`The cron expression has ${fields.length} fields instead of 5`, FORM, expression);
  const [minute = '', hour = '', dom = '', month = '', dow = ''] = fields;
  const read = (written: string, field: CronField) => readField(written, FIELDS[field], expression);
  return {
    expression,
    values: {
      minute: read(minute, 'minute'),
      hour: read(hour, 'hour'),
      dom: read(dom, 'dom'),
      month: read(month, 'month'),
      // 7 is another way to write Sunday.
      dow: ascending(read(dow, 'dow').map((day) => day % 7)),
    },
    eitherDay: !dom.startsWith('*') && !dow.startsWith('*'),
    isFixed: !minute.startsWith('*') && !hour.startsWith('*'),
  };
};

const readField = (written: string, rule: FieldRule, expression: string): readonly number[] => {
  const items = written.split(',');
  return ascending(
    items.flatMap((item) => {
      const values = readItem(item, rule, items.length === 1);
      if (values === undefined) throw refused(`The ${rule.title} field cannot be ${JSON.stringify(written)}`, remedy(rule), expression);
      return values;
    }),
  );
};

/** `*`, `n` or `a-b`, each with or without `/step`; undefined for anything else. */
const readItem = (item: string, rule: FieldRule, isAlone: boolean): readonly number[] | undefined => {
  const [, range = '', written] = /^([^/]+)(?:\/(\d{1,2}))?$/.exec(item) ?? [];
  const step = written === undefined ? 1 : Number(written);
  if (step < 1 || step > rule.span) return undefined;
  const [from, to] = readRange(range, rule, { isAlone, isStepped: written !== undefined });
  if (from === undefined || to === undefined || from > to) return undefined;
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);
};

interface RangePlace {
  readonly isAlone: boolean;
  readonly isStepped: boolean;
}

const readRange = (range: string, rule: FieldRule, { isAlone, isStepped }: RangePlace): readonly (number | undefined)[] => {
  // In a list, a star without a step would make the rest of it idle.
  if (range === '*') return isAlone || isStepped ? [rule.min, rule.max] : [];
  const [from = '', to, ...more] = range.split('-');
  if (more.length > 0) return [];
  const start = readValue(from, rule);
  if (to !== undefined) return [start, readValue(to, rule)];
  return [start, isStepped ? rule.max : start];
};

const readValue = (written: string, { min, max, names }: FieldRule): number | undefined => {
  if (/^\d{1,2}$/.test(written)) {
    const value = Number(written);
    return value >= min && value <= max ? value : undefined;
  }
  const at = names.indexOf(written.toLowerCase());
  return at < 0 ? undefined : min + at;
};

const ascending = (values: readonly number[]): readonly number[] => [...new Set(values)].sort((a, b) => a - b);

const remedy = ({ min, max, span, names }: FieldRule): string => {
  const named = names.length === 0 ? '' : `, or ${names[0]} to ${names.at(-1)}`;
  return `it takes *, values from ${min} to ${max}${named}, ranges, lists, and steps up to ${span}`;
};

const refused = (what: string, how: string, expression?: string): CronException =>
  new CronException(`${what}; ${how}.`, { context: expression === undefined ? {} : { expression } });

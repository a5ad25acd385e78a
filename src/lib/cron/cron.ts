/** The fields of an expression, in the order in which they are written. */
export type CronField = 'minute' | 'hour' | 'dom' | 'month' | 'dow';

/** A cron expression that was understood. The values of each field are in ascending order; Sunday is 0. */
export interface Cron {
  readonly expression: string;
  readonly values: { readonly [F in CronField]: readonly number[] };
  /** Both day fields are restricted: a day counts when either names it. Otherwise both must. */
  readonly eitherDay: boolean;
  /** Minute and hour are fixed: such a time happens once a day, whatever the clocks do. Otherwise every real minute counts. */
  readonly isFixed: boolean;
}

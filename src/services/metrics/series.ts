/** One figure with its labels; `name` where it differs from that of its series. */
export interface Sample {
  readonly name?: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Figures under one name. */
export interface Series {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  samples(): readonly Sample[];
}

/** Numbers by the values of one label or two. */
export interface Numbers extends Series {
  add(by: number, first: string, second?: string): void;
  set(value: number, first: string, second?: string): void;
}

/** Durations by the value of one label, counted in buckets. */
export interface Durations extends Series {
  observe(seconds: number, label: string): void;
}

export interface NumbersOptions {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge';
  readonly labels: readonly [string] | readonly [string, string];
}

/** Makes a series of numbers. It is cheap to add to, because that happens for every command; text is made when somebody asks. */
export const createNumbers = ({ name, help, type, labels }: NumbersOptions): Numbers => {
  const numbers = new Map<string, Map<string, number>>();
  const under = (first: string): Map<string, number> => {
    const known = numbers.get(first);
    if (known !== undefined) return known;
    const fresh = new Map<string, number>();
    numbers.set(first, fresh);
    return fresh;
  };
  return {
    name,
    help,
    type,
    add(by, first, second = '') {
      const inner = under(first);
      inner.set(second, (inner.get(second) ?? 0) + by);
    },
    set: (value, first, second = '') => void under(first).set(second, value),
    samples: () =>
      [...numbers].flatMap(([first, inner]) => [...inner].map(([second, value]) => ({ labels: named(labels, [first, second]), value }))),
  };
};

export interface DurationsOptions {
  readonly name: string;
  readonly help: string;
  readonly label: string;
  /** Upper bounds in seconds, ascending. */
  readonly buckets: readonly number[];
}

/** Makes a series of durations. */
export const createDurations = ({ name, help, label, buckets }: DurationsOptions): Durations => {
  const tallies = new Map<string, { readonly counts: number[]; sum: number }>();
  const tallyOf = (value: string) => {
    const known = tallies.get(value);
    if (known !== undefined) return known;
    const fresh = { counts: new Array<number>(buckets.length + 1).fill(0), sum: 0 };
    tallies.set(value, fresh);
    return fresh;
  };

  const samplesOf = (value: string, counts: readonly number[], sum: number): Sample[] => {
    const labels = { [label]: value };
    let below = 0;
    const cumulative = [...buckets.map(String), '+Inf'].map((bound, at) => {
      below += counts[at] ?? 0;
      return { name: `${name}_bucket`, labels: { ...labels, le: bound }, value: below };
    });
    return [...cumulative, { name: `${name}_sum`, labels, value: sum }, { name: `${name}_count`, labels, value: below }];
  };

  return {
    name,
    help,
    type: 'histogram',
    observe(seconds, value) {
      const tally = tallyOf(value);
      let at = 0;
      while (at < buckets.length && seconds > (buckets[at] ?? 0)) at += 1;
      tally.counts[at] = (tally.counts[at] ?? 0) + 1;
      tally.sum += seconds;
    },
    samples: () => [...tallies].flatMap(([value, { counts, sum }]) => samplesOf(value, counts, sum)),
  };
};

const named = (names: readonly string[], values: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map((name, at) => [name, values[at] ?? '']));

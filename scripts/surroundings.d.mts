export interface Around {
  readonly top?: string;
  readonly home: string;
  readonly memory?: string;
  readonly leftOut?: readonly string[];
}
export interface ChangeAround {
  readonly path: string;
  readonly how: 'appeared' | 'changed' | 'went';
}
type Seen = ReadonlyMap<string, ReadonlyMap<string, string>>;
export function lookAround(around: Around): Seen;
export function changesAround(before: Seen, after: Seen): ChangeAround[];
export function changesByTests(first: Seen, second: Seen, third: Seen, home: string): ChangeAround[];

/** What a call may say of a list, in the words of a wrapped one. */
export interface ListWishes {
  readonly mode?: 'parallel';
  readonly validate_first?: boolean | undefined;
  readonly dry_run?: boolean | undefined;
  readonly stop_on_error?: boolean | undefined;
  readonly fail_fast?: boolean | undefined;
  readonly max_workers?: number | undefined;
}

/**
 * A list with what the call says of it. Where both say something the stricter holds: what either wants only planned, checked first or
 * stopped is, and the smaller number of workers counts. What is wrong in the list stays there, to be refused, and so does what is no list.
 */
export const wishedList = (list: unknown, { mode, max_workers, ...switches }: ListWishes): unknown => {
  if (typeof list !== 'object' || list === null) return list;
  const own: { readonly [key: string]: unknown } = Array.isArray(list) ? { actions: list } : { ...list };
  const wanted = Object.entries(switches).filter(([key, value]) => value === true && (own[key] === undefined || own[key] === false));
  return {
    ...own,
    ...(mode !== undefined && !Object.hasOwn(own, 'nodes') && { mode }), // a graph has its own order
    ...Object.fromEntries(wanted),
    ...(max_workers !== undefined && { max_workers: narrower(own.max_workers, max_workers) }),
  };
};

const narrower = (own: unknown, wanted: number): unknown => (typeof own === 'number' ? Math.min(own, wanted) : (own ?? wanted));

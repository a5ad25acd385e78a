/** Works on items ahead of the reader, at most `ahead` at a time, and gives the results in the order of the items. */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  ahead: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const underWay: Promise<R>[] = [];
  try {
    for await (const item of items) {
      const result = work(item);
      result.catch(() => {}); // told when its turn comes
      underWay.push(result);
      const [first] = underWay;
      if (underWay.length < ahead || first === undefined) continue;
      underWay.shift();
      yield await first;
    }
    for (let first = underWay.shift(); first !== undefined; first = underWay.shift()) yield await first;
  } finally {
    await Promise.allSettled(underWay);
  }
}

/** The methods of a port that answer with a promise; the others cannot wait for it to be made. */
type Late<T> = { [K in keyof T]: T[K] extends (...args: infer A) => infer R ? (...args: A) => Promise<Awaited<R>> : never };

/** A port whose maker is asked when a method is first called, so that nobody pays for what is not used. */
export const late = <T extends object>(open: () => Promise<T>): Late<T> =>
  new Proxy({} as Late<T>, {
    // What is asked for is a name of the port; the caller's types see to that.
    get(_, name) {
      if (name === 'then') return undefined; // a port is no promise, wherever it is handed through
      return async (...args: unknown[]) => {
        const port = await open();
        const method = Reflect.get(port, name) as (...args: unknown[]) => unknown;
        return method.apply(port, args);
      };
    },
  });

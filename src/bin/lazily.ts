/** Stands for a module until one of its exports is used; those in `early` can be used without it. */
export const lazily = (load: () => object, early: object = {}): object => {
  let module: object | undefined;
  const loaded = (): object => {
    module ??= load();
    return module;
  };
  return new Proxy(
    {},
    {
      get: (_, key) => Reflect.get(key in early ? early : loaded(), key),
      has: (_, key) => key in loaded(),
      ownKeys: () => Reflect.ownKeys(loaded()),
      getOwnPropertyDescriptor: (_, key) => {
        const found = Reflect.getOwnPropertyDescriptor(loaded(), key);
        // A proxy may only report what its empty target could have.
        return found && { ...found, configurable: true };
      },
    },
  );
};

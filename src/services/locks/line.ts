interface Waiter {
  /** Resolves when it is worth a look. */
  hinted: Promise<void>;
  hint(): void;
}

/** Where somebody stands who waits. */
export interface Standing {
  /** Only the first one may take what all wait for. */
  readonly isFirst: boolean;
  /** Resolves when there may be something to take; asked for again after each look. */
  hinted(): Promise<void>;
}

/** Who waits for what in this process, in the order they came, so that nobody is passed over for ever by those who come again and again. */
export interface Lines {
  stand<T>(name: string, work: (standing: Standing) => Promise<T>): Promise<T>;
  /** Tells the first one that there may be something to take. */
  hint(name: string): void;
}

export const createLines = (): Lines => {
  const lines = new Map<string, Waiter[]>();
  return {
    async stand(name, work) {
      const waiter = newWaiter();
      const line = lines.get(name) ?? [];
      lines.set(name, line);
      line.push(waiter);
      try {
        return await work({
          get isFirst() {
            return line[0] === waiter;
          },
          hinted: () => waiter.hinted,
        });
      } finally {
        line.splice(line.indexOf(waiter), 1);
        line[0]?.hint(); // it is the first one now, and this one may have given up
        if (line.length === 0) lines.delete(name);
      }
    },
    hint: (name) => lines.get(name)?.[0]?.hint(),
  };
};

const newWaiter = (): Waiter => {
  const waiter: Waiter = { hinted: Promise.resolve(), hint() {} };
  const renew = () => {
    waiter.hinted = new Promise((resolve) => {
      waiter.hint = () => {
        renew();
        resolve();
      };
    });
  };
  renew();
  return waiter;
};

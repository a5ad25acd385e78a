/** Edges between nodes as integers: who waits for whom. */
export interface Graph {
  readonly count: number;
  /** First outgoing edge of each command, or -1. */
  readonly head: Int32Array;
  /** The next edge of the same command, or -1. */
  readonly next: Int32Array;
  /** The command an edge leads to. */
  readonly to: Int32Array;
  /** How many commands each one waits for. */
  readonly waits: Int32Array;
}

/** Ends a chain of edges. */
export const NO_EDGE = -1;

/** Collects edges; `edges` is an upper bound. */
export const graphBuilder = (count: number, edges: number) => {
  const head = new Int32Array(count).fill(NO_EDGE);
  const next = new Int32Array(edges);
  const to = new Int32Array(edges);
  const waits = new Int32Array(count);
  let used = 0;
  return {
    connect(from: number, target: number) {
      next[used] = head[from] ?? NO_EDGE;
      to[used] = target;
      head[from] = used;
      used += 1;
      waits[target] = (waits[target] ?? 0) + 1;
    },
    build: (): Graph => ({ count, head, next, to, waits }),
  };
};

/** Visits the commands that wait for `from`. */
export const eachFollower = ({ head, next, to }: Graph, from: number, visit: (target: number) => void): void => {
  for (let edge = head[from] ?? NO_EDGE; edge !== NO_EDGE; edge = next[edge] ?? NO_EDGE) visit(to[edge] ?? 0);
};

import { type Problem, problem } from './problem.ts';

/** A request turned away by the door itself. */
export class Refused extends Error {
  readonly problem: Problem;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, kind: string, detail: string, headers: Readonly<Record<string, string>> = {}) {
    super(detail);
    this.problem = problem(status, kind, detail);
    this.headers = headers;
  }
}

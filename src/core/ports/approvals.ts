import type { Json } from '../errors.ts';

/** A plan that a limited caller wants to carry out. */
export interface ProposedPlan {
  readonly planHash: string;
  /** The caller's name. */
  readonly caller: string;
  /** What somebody should know before saying yes. */
  readonly summary: Json;
}

/** Plans that wait for a yes. Saying it is not part of this: it never comes through the pipeline. */
export interface PlanApprovals {
  /** Puts a plan up for approval; a known one stays as it is. */
  propose(plan: ProposedPlan): Promise<void>;
  /** Uses up the approval of a plan by this caller; false where there is none that still holds. */
  consume(planHash: string, caller: string): Promise<boolean>;
}

import { type Description, describeAction } from '../../src/core/describe.ts';
import { aboutAction, prepareAction } from '../../src/core/ready.ts';
import type { LocatedFamily } from './families.ts';

/** What the definitions of a family say, in their own order. */
export const descriptionsOf = ({ name, group, actions }: LocatedFamily): Description[] =>
  actions.map((action) => describeAction(prepareAction(action, aboutAction(action, name, group))));

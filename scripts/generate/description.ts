import { describeAction } from '../../src/core/describe.ts';
import type { Description } from '../../src/core/description.ts';
import { aboutAction, prepareAction, type Ready } from '../../src/core/ready.ts';
import type { LocatedFamily } from './families.ts';

/** The actions of a family as the pipeline has them. */
export const readyOf = ({ name, group, actions }: LocatedFamily): Ready[] =>
  actions.map((action) => prepareAction(action, aboutAction(action, name, group)));

/** What the definitions of a family say, in their own order. */
export const descriptionsOf = (family: LocatedFamily): Description[] => readyOf(family).map((ready) => describeAction(ready));

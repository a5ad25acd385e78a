import { ExecuteActionException } from '../../core/errors.ts';
import type { ActionMap } from '../actions.generated.ts';
import { catalogueFamilies } from '../catalogue.generated.ts';
import { type Call, type Parameter, readGiven } from './arguments.ts';
import { askAction, callAction } from './call-action.ts';

/** An action as a function: arguments in the order of the action, or by name in an object at the end. */
export type ActionFunction<N extends keyof ActionMap> = (
  ...call: Call<ActionMap[N]['order'], ActionMap[N]['args']>
) => Promise<ActionMap[N]['value']>;

/** A built-in action of the shared instance as a function called `callee`; texts mean themselves. */
export const actionFunction =
  <N extends keyof ActionMap>(action: N, callee: string): ActionFunction<N> =>
  async (...call) =>
    callAction(action, await argumentsOf(action, callee, call));

/** The same where references count: a list that is stored keeps them. */
export const storingFunction =
  <N extends keyof ActionMap>(action: N, callee: string): ActionFunction<N> =>
  async (...call) =>
    askAction(action, await argumentsOf(action, callee, call));

const argumentsOf = async <N extends keyof ActionMap>(action: N, callee: string, call: readonly unknown[]): Promise<ActionMap[N]['args']> =>
  readGiven(callee, await parametersOf(action), call) as ActionMap[N]['args']; // the map is written from the definition that judged them

/** The parameters of a built-in action, whatever a program has put in its place. */
const parametersOf = async (action: string): Promise<readonly Parameter[]> => {
  const family = catalogueFamilies.find(({ actions }) => actions.some(([name]) => name === action));
  const definition = (await family?.load())?.actions.find(({ name }) => name === action);
  if (definition === undefined) throw new ExecuteActionException(`No built-in action is called ${action}; install the package again.`);
  return Object.entries(definition.args);
};

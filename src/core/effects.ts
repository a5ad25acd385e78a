import type { Arg, Args, Role, StepsForm } from './args.ts';

/** What an action may do to the world; access rules name these as `effect:…`. */
export type EffectClass = 'reads' | 'writes' | 'removes' | 'network' | 'executes' | 'steps';

const CLASSES_OF: Readonly<Record<Role, readonly EffectClass[]>> = {
  reads: ['reads'],
  readsTree: ['reads'],
  writes: ['writes'],
  writesTree: ['writes'],
  removes: ['removes'],
  removesTree: ['removes'],
  url: ['network'],
  host: ['network'],
  // Whoever forbids writing, forbids it elsewhere too.
  readsLocation: ['reads', 'network'],
  writesLocation: ['writes', 'network'],
  removesLocation: ['removes', 'network'],
  sink: ['network'],
  command: ['executes'],
  steps: ['steps'],
  secret: [],
};

/** Every effect class, in the order in which they are shown. */
export const EFFECT_CLASSES: readonly EffectClass[] = ['reads', 'writes', 'removes', 'network', 'executes', 'steps'];

/** Whether something may be lost or set off that cannot be called back: everything but reading. Nested steps are judged on their own. */
export const isDestructive = (effects: readonly EffectClass[]): boolean =>
  effects.some((effect) => effect !== 'reads' && effect !== 'steps');

/** What an action says of itself beside its arguments. */
export interface SaidOfItself {
  readonly changesRuns?: true;
  readonly reachesOut?: true;
  readonly location?: { readonly role: Role };
}

/** The effect classes that the roles of the arguments add up to, and what the action says of itself. */
export const effectsOf = (args: Args, { changesRuns, reachesOut, location }: SaidOfItself = {}): readonly EffectClass[] => {
  const roles = [...Object.values(args).flatMap((arg) => arg.roles), ...(location === undefined ? [] : [location.role])];
  const met = new Set(roles.flatMap((role) => CLASSES_OF[role]));
  if (changesRuns) met.add('writes');
  if (reachesOut) met.add('network');
  return EFFECT_CLASSES.filter((effect) => met.has(effect));
};

/** Where an action holds nested commands. */
export interface StepsPlace {
  readonly key: string;
  /** Position among the arguments. */
  readonly at: number;
  readonly form: StepsForm;
  /** Names that references inside may use: `item`, `index`. */
  readonly names: readonly string[];
  /** The commands are looked at and do not run. */
  readonly areChecked?: true;
  /** Beside the name of an action: where its arguments stand. */
  readonly given?: { readonly key: string; readonly at: number };
}

/** All arguments that hold nested commands. */
export const stepsOf = (args: Args): readonly StepsPlace[] =>
  Object.entries(args).flatMap(([key, arg], at) =>
    arg.stepsForm === undefined
      ? []
      : [
          {
            key,
            at,
            form: arg.stepsForm,
            names: arg.stepNames ?? [],
            ...(arg.stepsAreChecked && { areChecked: true }),
            ...givenTo(arg, args),
          },
        ],
  );

const givenTo = ({ stepArguments }: Arg, args: Args): Pick<StepsPlace, 'given'> =>
  stepArguments === undefined ? {} : { given: { key: stepArguments, at: Object.keys(args).indexOf(stepArguments) } };

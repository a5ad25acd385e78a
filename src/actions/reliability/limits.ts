import type { Context } from '../../core/context.ts';
import { ArgumentException, ExecuteActionException } from '../../core/errors.ts';
import type { Limits } from '../../core/ports/limits.ts';

/** The limits of the house. */
export const limitsOf = ({ services }: Context): Limits => {
  if (services.limits !== undefined) return services.limits;
  throw new ExecuteActionException('This house keeps no limits; run it through factotum serve, or use createFactotum().');
};

/** Limits of the configuration have names of this form: nobody else may use them up or trip them. */
const CONFIGURED = /^(?:action|connection):/;

/** The name under which something is kept that a list may call so. */
export const freeName = ({ ownName }: Context, name: string): string => {
  if (!CONFIGURED.test(name)) return ownName(name);
  throw new ArgumentException('Names that begin with action: or connection: belong to the configuration; choose another name.', {
    context: { argument: 'name' },
  });
};

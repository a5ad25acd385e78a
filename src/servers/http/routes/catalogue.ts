import type { Caller } from '../../../access/caller.ts';
import { describeAction } from '../../../core/describe.ts';
import type { Description } from '../../../core/description.ts';
import { UnknownActionException } from '../../../core/errors.ts';
import type { Registry } from '../../../core/registry.ts';
import type { JsonSchema } from '../../../core/shapes.ts';
import type { Route } from '../route.ts';

export interface CatalogueOptions {
  readonly registry: Registry;
  /** What `#/$defs/…` in the schemas refers to. */
  readonly loadDefs: () => Promise<Readonly<Record<string, JsonSchema>>>;
}

/** `GET /actions` and `GET /actions/{name}`: what the caller may run, described from the definitions. */
export const catalogueRoutes = ({ registry, loadDefs }: CatalogueOptions): readonly Route[] => {
  const mayRun = ({ acl }: Caller, name: string): boolean => acl === undefined || acl.permits(name, registry.about(name));
  const describe = (name: string): Description[] => {
    const ready = registry.resolve(name);
    return ready === undefined ? [] : [describeAction(ready)];
  };
  return [
    {
      method: 'GET',
      path: '/actions',
      async handle({ caller }) {
        const names = registry.names().filter((name) => mayRun(caller, name));
        await registry.load(names);
        return { status: 200, json: { actions: names.flatMap(describe), $defs: await loadDefs() } };
      },
    },
    {
      method: 'GET',
      path: '/actions/{name}',
      async handle({ caller, params: [name = ''] }) {
        await registry.load([name]);
        const [found] = mayRun(caller, name) ? describe(name) : [];
        if (found === undefined)
          throw new UnknownActionException(`No action is called ${name}; GET /actions has all names.`, { context: { action: name } });
        return { status: 200, json: { ...found, $defs: await loadDefs() } };
      },
    },
  ];
};

import { ActionACL } from '../../access/acl.ts';
import { didYouMean } from '../../lib/text/nearest.ts';
import type { Config } from '../../services/config/config.generated.ts';
import { builtInFamilies } from '../catalogue.ts';

/** What a configuration says of actions that there are not: a mistyped `deny` would let through what it is meant to stop. */
export const unmatchedRules = ({ policy, mcp, tokens, defaults }: Config): string[] => {
  const actions = builtInFamilies().flatMap((family) => family.actions);
  const known = actions.flatMap(({ name, aliases, group }) => [name, ...aliases, `group:${group}`]);
  const callers = [['policy', policy], ['mcp', mcp], ...tokens.map((token, at) => [`tokens[${at}]`, token] as const)] as const;

  const unmatched = (key: string, rules: readonly string[] = []): string[] =>
    rules.flatMap((rule) => {
      const acl = new ActionACL({ allow: [rule] });
      if (actions.some((action) => acl.permits(action.name, action))) return [];
      return [`${key}: no action of factotum fits ${rule}${didYouMean(rule, known) || '; a plugin has to bring it.'}`];
    });

  return [
    ...callers.flatMap(([key, { allow, deny }]) => [...unmatched(`${key}.allow`, allow), ...unmatched(`${key}.deny`, deny)]),
    ...unmatched('defaults.actions', Object.keys(defaults.actions)),
  ];
};

import type { ToolAnnotations } from '@modelcontextprotocol/server';
import type { EffectClass } from '../../../core/effects.ts';

/** What hosts may show or ask before a call. Writing counts as destructive, for it may replace what was there. */
export const hintsOf = (effects: readonly EffectClass[], idempotent: boolean): ToolAnnotations => {
  const isReadOnly = effects.every((effect) => effect === 'reads');
  return {
    readOnlyHint: isReadOnly,
    destructiveHint: !isReadOnly,
    idempotentHint: idempotent || isReadOnly,
    openWorldHint: effects.includes('network') || effects.includes('executes'),
  };
};

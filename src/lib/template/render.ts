import { TemplateException } from '../../core/errors.ts';
import { renderDollar } from './dollar.ts';
import { MAX_SOURCE_CHARS } from './limits.ts';
import { renderLiquid } from './liquid.ts';

/** How a template is rendered. */
export interface RenderSettings {
  /** The engine: `{{ name }}` and tags, or only `$name`. */
  readonly engine: 'liquid' | 'dollar';
  readonly autoescape: boolean;
}

/** Renders a template with one of the two engines. */
export const render = async (
  template: string,
  context: Readonly<Record<string, unknown>>,
  { engine, autoescape }: RenderSettings,
): Promise<string> => {
  if (template.length > MAX_SOURCE_CHARS) {
    throw new TemplateException(
      `The template has ${template.length} characters, more than ${MAX_SOURCE_CHARS}; put long texts into the context.`,
      {
        context: { limit: MAX_SOURCE_CHARS },
      },
    );
  }
  return engine === 'liquid' ? renderLiquid(template, context, { autoescape }) : renderDollar(template, context, { autoescape });
};

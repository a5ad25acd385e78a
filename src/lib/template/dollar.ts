import { TemplateException } from '../../core/errors.ts';
import { escapeHtml } from './escape-html.ts';
import { createOutput } from './limits.ts';
import { type RenderOptions, textOfValue } from './value-text.ts';

/** Puts values in for `$name` and `${name}`; `$$` is a dollar sign. Values are not looked at again. */
export const renderDollar = (template: string, context: Readonly<Record<string, unknown>>, { autoescape }: RenderOptions): string => {
  const output = createOutput();
  let from = 0;
  for (const found of template.matchAll(/\$(?:(\$)|([_a-z][_a-z0-9]*)|\{([_a-z][_a-z0-9]*)\}|)/gi)) {
    const [whole, dollar, plain, braced] = found;
    output.write(template.slice(from, found.index));
    from = found.index + whole.length;
    if (dollar !== undefined) output.write(dollar);
    else {
      const text = textOfValue(valueNamed(plain ?? braced, context, found.index));
      output.write(autoescape ? escapeHtml(text) : text);
    }
  }
  output.write(template.slice(from));
  return output.text();
};

const valueNamed = (name: string | undefined, context: Readonly<Record<string, unknown>>, at: number): unknown => {
  if (name === undefined)
    throw new TemplateException(`No name follows the dollar sign at character ${at + 1}; write $$ for a dollar sign.`, {
      context: { character: at + 1 },
    });
  if (Object.hasOwn(context, name)) return context[name];
  throw new TemplateException(`The context has no value for ${name}; add it.`, { context: { name } });
};

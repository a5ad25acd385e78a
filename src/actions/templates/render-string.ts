import { defineAction } from '../../core/action.ts';
import { flag, record, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { useTemplate } from '../../lib/template/use-template.ts';

export const renderString = defineAction({
  name: 'FA_render_string',
  summary: 'Fills a template with values and tells the text.',
  args: {
    template: text('The template: {{ name }}, {% if %}, {% for %} and filters of the Liquid language.'),
    context: record('The values by name; a name that is missing fails, null shows nothing.', shapes.json()),
    use_jinja: flag('Use that language; false puts values in for $name only, as they are.', { default: true }),
    autoescape: flag('Escape values for HTML; the filter raw leaves one as it is.', { default: true }),
  },
  returns: shapes.text(),
  idempotent: true,
  examples: [
    { args: { template: 'Hello {{ name }}!', context: { name: 'Ann' } }, value: 'Hello Ann!' },
    {
      about: 'A loop, a condition and a filter.',
      args: {
        template: '{% for x in xs %}{% if x.on %}{{ x.name | upper }};{% endif %}{% endfor %}',
        context: {
          xs: [
            { name: 'a', on: true },
            { name: 'b', on: false },
          ],
        },
      },
      value: 'A;',
    },
    { about: 'Only dollar names.', args: { template: '$a and $b', context: { a: 1, b: 2 }, use_jinja: false }, value: '1 and 2' },
  ],
  run(ctx, { template, context, use_jinja, autoescape }) {
    const settings = use_jinja ? ({ engine: 'liquid', autoescape } as const) : ({ engine: 'dollar', autoescape: false } as const);
    return useTemplate({ template, context, settings }, ctx);
  },
});

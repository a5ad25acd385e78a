import { defineAction } from '../../core/action.ts';
import { flag, path, record } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { FileNotExistsException, TemplateException, TextOpsException } from '../../core/errors.ts';
import type { FilePort } from '../../core/files.ts';
import * as shapes from '../../core/shapes.ts';
import { editFile, isSameFile } from '../../lib/fs/edit-file.ts';
import { MAX_SOURCE_CHARS } from '../../lib/template/limits.ts';
import type { RenderSettings } from '../../lib/template/render.ts';
import { useTemplate } from '../../lib/template/use-template.ts';
import { decodeText } from '../../lib/text/encoding.ts';

interface RenderFileArgs {
  readonly template_path: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly output_path: string | null;
  readonly use_jinja: boolean | null;
  readonly autoescape: boolean | null;
}

const ENGINE_SUFFIX = /\.(?:j2|jinja2?)$/i;
const HTML_SUFFIX = /\.(?:html?|xhtml|xml)$/i;
/** A character has at most four bytes. */
const MAX_BYTES = MAX_SOURCE_CHARS * 4;

const renderInto = async (ctx: Context, args: RenderFileArgs): Promise<string> => {
  const { files, signal } = ctx;
  const { template_path, output_path } = args;
  if (output_path === null) return filled(ctx, args, await readTemplate(files, template_path));
  // A template that is filled in place is changed by what it holds.
  if (await isSameFile(files, template_path, output_path))
    return editFile(ctx, output_path, async (_, target) => {
      const value = await filled(ctx, args, await readTemplate(files, template_path));
      await target.write(Buffer.from(value));
      return { value, isChanged: true };
    });
  const output = await filled(ctx, args, await readTemplate(files, template_path));
  await files.write(output_path, Buffer.from(output), { signal });
  return output;
};

const filled = (ctx: Context, args: RenderFileArgs, template: string): Promise<string> => {
  const { template_path, context, output_path, use_jinja, autoescape } = args;
  const settings: RenderSettings = {
    engine: (use_jinja ?? ENGINE_SUFFIX.test(template_path)) ? 'liquid' : 'dollar',
    autoescape: autoescape ?? HTML_SUFFIX.test(output_path ?? template_path.replace(ENGINE_SUFFIX, '')),
  };
  return useTemplate({ template, context, settings }, ctx);
};

const readTemplate = async (files: FilePort, path: string): Promise<string> => {
  try {
    const bytes = await files.read(path, { limit: MAX_BYTES + 1 });
    return await decodeText(bytes, 'utf-8', { isPart: bytes.byteLength > MAX_BYTES });
  } catch (fault) {
    if (!(fault instanceof FileNotExistsException || fault instanceof TextOpsException)) throw fault;
    throw new TemplateException(
      fault instanceof TextOpsException
        ? `The template ${path} is no UTF-8: ${fault.message}`
        : `No template is at ${files.absolute(path)}; check the path.`,
      {
        context: { argument: 'template_path', path },
        cause: fault,
      },
    );
  }
};

export const renderFile = defineAction({
  name: 'FA_render_file',
  summary: 'Fills a template file with values, tells the text and writes it if asked to.',
  args: {
    template_path: path('The template, in UTF-8.', { role: 'reads' }),
    context: record('The values by name; a name that is missing fails.', shapes.json(), { isContent: true }),
    output_path: path('Where the text goes; missing directories are made.', { role: 'writes', default: null }),
    use_jinja: flag('Use the Liquid language, else $name only; by default a name ending in .j2, .jinja or .jinja2 decides.', {
      default: null,
    }),
    autoescape: flag(
      'Escape values for HTML; by default when the output, or the template without that ending, is called .html, .htm, .xhtml or .xml.',
      { default: null },
    ),
  },
  returns: shapes.text(),
  idempotent: true,
  examples: [
    {
      files: { 'page.html.j2': '<p>{{ text }}</p>' },
      args: { template_path: 'page.html.j2', context: { text: '1 < 2' }, output_path: 'out/page.html' },
      value: '<p>1 &lt; 2</p>',
      leaves: { 'out/page.html': '<p>1 &lt; 2</p>' },
    },
  ],
  plan: renderInto,
  run: renderInto,
});

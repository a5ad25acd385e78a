import { defineAction } from '../../core/action.ts';
import { json, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import * as shapes from '../../core/shapes.ts';
import { MAX_YAML_BYTES } from '../../lib/data/yaml/load.ts';
import { type DocumentFormat, deleteValue, getValue, setValue } from './document.ts';
import { KEY_PATH } from './words.ts';

const YAML_FORMAT: DocumentFormat = {
  name: 'YAML',
  kind: 'yaml',
  maxBytes: MAX_YAML_BYTES,
};

const get = (ctx: Context, args: { readonly path: string; readonly key_path: string; readonly default: unknown }) =>
  getValue(ctx, YAML_FORMAT, args);
const set = (ctx: Context, args: { readonly path: string; readonly key_path: string; readonly value: unknown }) =>
  setValue(ctx, YAML_FORMAT, args);
const remove = (ctx: Context, args: { readonly path: string; readonly key_path: string }) => deleteValue(ctx, YAML_FORMAT, args);

export const yamlGet = defineAction({
  name: 'FA_yaml_get',
  summary: 'Reads the value at a key path of a YAML file, aliases and merges resolved.',
  args: {
    path: path('The YAML file: one document, up to 10 MiB.', { role: 'reads' }),
    key_path: text(`${KEY_PATH} Empty for the whole document.`),
    default: json('What to answer where the path leads nowhere.', { default: null }),
  },
  returns: shapes.json(),
  idempotent: true,
  examples: [
    { files: { 'app.yaml': 'servers:\n  - name: a\n  - name: b\n' }, args: { path: 'app.yaml', key_path: 'servers.1.name' }, value: 'b' },
  ],
  plan: get,
  run: get,
});

export const yamlSet = defineAction({
  name: 'FA_yaml_set',
  summary: 'Sets the value at a key path of a YAML file; layout, order, comments and quotes of everything else stay.',
  args: {
    path: path('The YAML file: one document, up to 10 MiB.', { role: ['reads', 'writes'] }),
    key_path: text(`${KEY_PATH} Missing maps are created; the index behind the last item appends.`),
    value: json('The value to put there.', { isContent: true }),
  },
  returns: shapes.flag(),
  idempotent: true,
  examples: [
    {
      files: { 'app.yaml': '# ports\nport: 80 # http\nname: "x"\n' },
      args: { path: 'app.yaml', key_path: 'port', value: 8080 },
      value: true,
      leaves: { 'app.yaml': '# ports\nport: 8080 # http\nname: "x"\n' },
    },
  ],
  plan: set,
  run: set,
});

export const yamlDelete = defineAction({
  name: 'FA_yaml_delete',
  summary: 'Deletes the value at a key path of a YAML file; tells whether anything was there.',
  args: {
    path: path('The YAML file: one document, up to 10 MiB.', { role: ['reads', 'writes'] }),
    key_path: text(KEY_PATH),
  },
  returns: shapes.flag(),
  examples: [
    {
      files: { 'app.yaml': '# both\na: 1\nb: 2\n' },
      args: { path: 'app.yaml', key_path: 'a' },
      value: true,
      leaves: { 'app.yaml': '# both\nb: 2\n' },
    },
  ],
  plan: remove,
  run: remove,
});

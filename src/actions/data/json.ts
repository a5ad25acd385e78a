import { defineAction } from '../../core/action.ts';
import { json, path, text } from '../../core/args.ts';
import type { Context } from '../../core/context.ts';
import { JsonEditException } from '../../core/errors.ts';
import * as shapes from '../../core/shapes.ts';
import { type DocumentFormat, deleteValue, getValue, setValue } from './document.ts';
import { KEY_PATH } from './words.ts';

const JSON_FORMAT: DocumentFormat = {
  name: 'JSON',
  kind: 'json',
  maxBytes: 64 * 1024 * 1024,
  missing: (message, context) => new JsonEditException(message, { context }),
};

const get = (ctx: Context, args: { readonly path: string; readonly key_path: string; readonly default: unknown }) =>
  getValue(ctx, JSON_FORMAT, args);
const set = (ctx: Context, args: { readonly path: string; readonly key_path: string; readonly value: unknown }) =>
  setValue(ctx, JSON_FORMAT, args);
const remove = (ctx: Context, args: { readonly path: string; readonly key_path: string }) => deleteValue(ctx, JSON_FORMAT, args);

export const jsonGet = defineAction({
  name: 'FA_json_get',
  summary: 'Reads the value at a key path of a JSON file.',
  args: {
    path: path('The JSON file, up to 64 MiB; comments and trailing commas are allowed.', { role: 'reads' }),
    key_path: text(`${KEY_PATH} Empty for the whole document.`),
    default: json('What to answer where the path leads nowhere.', { default: null }),
  },
  returns: shapes.json(),
  idempotent: true,
  examples: [
    {
      files: { 'app.json': '{"servers": [{"name": "a"}, {"name": "b"}]}' },
      args: { path: 'app.json', key_path: 'servers.1.name' },
      value: 'b',
    },
    {
      about: 'Whole numbers beyond 2^53 come out as texts, every digit kept.',
      files: { 'app.json': '{"id": 12345678901234567890}' },
      args: { path: 'app.json', key_path: 'id' },
      value: '12345678901234567890',
    },
  ],
  plan: get,
  run: get,
});

export const jsonSet = defineAction({
  name: 'FA_json_set',
  summary: 'Sets the value at a key path of a JSON file; layout, order, comments and every other digit stay.',
  args: {
    path: path('The JSON file, up to 64 MiB; comments and trailing commas are allowed.', { role: ['reads', 'writes'] }),
    key_path: text(`${KEY_PATH} Missing objects are created; the index behind the last item appends.`),
    value: json('The value to put there.', { isContent: true }),
  },
  returns: shapes.flag(),
  idempotent: true,
  examples: [
    {
      files: { 'app.json': '{\n  "port": 80, // http\n  "id": 12345678901234567890\n}\n' },
      args: { path: 'app.json', key_path: 'port', value: 8080 },
      value: true,
      leaves: { 'app.json': '{\n  "port": 8080, // http\n  "id": 12345678901234567890\n}\n' },
    },
    {
      about: 'A key with a dot in it, under an object that is not there yet.',
      files: { 'app.json': '{"a":1}' },
      args: { path: 'app.json', key_path: 'hosts.example\\.org', value: true },
      value: true,
      leaves: { 'app.json': '{"a":1,"hosts":{"example.org":true}}' },
    },
  ],
  plan: set,
  run: set,
});

export const jsonDelete = defineAction({
  name: 'FA_json_delete',
  summary: 'Deletes the value at a key path of a JSON file; tells whether anything was there.',
  args: {
    path: path('The JSON file, up to 64 MiB; comments and trailing commas are allowed.', { role: ['reads', 'writes'] }),
    key_path: text(KEY_PATH),
  },
  returns: shapes.flag(),
  examples: [
    {
      files: { 'app.json': '{\n  "a": 1,\n  "b": 2\n}\n' },
      args: { path: 'app.json', key_path: 'a' },
      value: true,
      leaves: { 'app.json': '{\n  "b": 2\n}\n' },
    },
    {
      about: 'Nothing there: the file is not touched.',
      files: { 'app.json': '{}' },
      args: { path: 'app.json', key_path: 'a' },
      value: false,
    },
  ],
  plan: remove,
  run: remove,
});

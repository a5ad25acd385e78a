import { expectTypeOf, test } from 'vitest';
import type { ActionMap } from '../app/actions.generated.ts';
import { HTTPActionClient } from './index.ts';

// The compiler is the judge: nothing here is ever sent.
const client = new HTTPActionClient('http://127.0.0.1:9');
const unsent = (_: () => unknown) => {};

test('arguments are those of the action', () => {
  unsent(() => client.call('FA_copy_file', { file_path: 'a', target_path: 'b', copy_metadata: false }));
  unsent(() => client.call('FA_list_trash'));
  // @ts-expect-error no such action
  unsent(() => client.call('FA_copy_fil', { file_path: 'a', target_path: 'b' }));
  // @ts-expect-error an argument is missing
  unsent(() => client.call('FA_copy_file', { file_path: 'a' }));
  // @ts-expect-error all arguments are missing
  unsent(() => client.call('FA_copy_file'));
  // @ts-expect-error no such argument
  unsent(() => client.call('FA_copy_file', { file_path: 'a', target_path: 'b', copy: true }));
  // @ts-expect-error another type
  unsent(() => client.call('FA_copy_file', { file_path: 'a', target_path: 5 }));
});

test('values are those of the action', () => {
  const call = () => client.call('FA_read_file', { file_path: 'a' });
  expectTypeOf<Awaited<ReturnType<typeof call>>>().toEqualTypeOf<ActionMap['FA_read_file']['value']>();
});

test('commands in lists, wrapped lists and graphs are typed alike', () => {
  unsent(() => client.execute([['FA_list_trash'], ['FA_copy_file', ['a', 'b']], ['FA_copy_file', { file_path: 'a', target_path: 'b' }]]));
  unsent(() => client.execute([['FA_copy_file', { file_path: 'a', target_path: 'b', copy_metadata: '${env:KEEP}' }]]));
  unsent(() => client.execute({ actions: [['FA_list_trash']], mode: 'parallel' }));
  unsent(() => client.plan({ nodes: [{ id: 'a', action: ['FA_list_trash'] }] }));
  // @ts-expect-error no such action
  unsent(() => client.execute([['FA_copy_fil', ['a', 'b']]]));
  // @ts-expect-error arguments are missing
  unsent(() => client.execute([['FA_copy_file']]));
  // @ts-expect-error another type
  unsent(() => client.execute([['FA_copy_file', { file_path: 'a', target_path: 'b', copy_metadata: 'yes' }]]));
  // @ts-expect-error no such option
  unsent(() => client.execute({ actions: [['FA_list_trash']], modes: 'parallel' }));
  // @ts-expect-error no such action in a graph
  unsent(() => client.plan({ nodes: [{ id: 'a', action: ['FA_list_trsh'] }] }));
});

test('each entry of a result has the value of its action', () => {
  const run = () => client.execute([['FA_read_file', ['a']], ['FA_list_trash']]);
  type Results = Awaited<ReturnType<typeof run>>['results'];
  type ValueAt<I extends keyof Results> = Extract<Results[I], { status: 'ok' | 'reused' }> extends { value: infer V } ? V : never;
  expectTypeOf<Results['length']>().toEqualTypeOf<2>();
  expectTypeOf<ValueAt<0>>().toEqualTypeOf<ActionMap['FA_read_file']['value']>();
  expectTypeOf<ValueAt<1>>().toEqualTypeOf<ActionMap['FA_list_trash']['value']>();
});

test('a program can add its own actions', () => {
  const own = new HTTPActionClient<ActionMap & { FA_mine: { args: { readonly path: string }; value: boolean } }>('http://127.0.0.1:9');
  const call = () => own.call('FA_mine', { path: 'a' });
  expectTypeOf<Awaited<ReturnType<typeof call>>>().toEqualTypeOf<boolean>();
  // @ts-expect-error another type
  unsent(() => own.execute([['FA_mine', { path: 5 }]]));
});

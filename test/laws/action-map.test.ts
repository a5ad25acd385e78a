import { expectTypeOf, test } from 'vitest';
import type { copyFile } from '../../src/actions/files/copy-file.ts';
import type { readFile } from '../../src/actions/files/read-file.ts';
import type { forEachAction } from '../../src/actions/flow/for-each.ts';
import type { ActionMap } from '../../src/app/actions.generated.ts';
import type { Action } from '../../src/core/action.ts';
import type { Given } from '../../src/core/args.ts';
import type { Out } from '../../src/core/shapes.ts';

/** Both ways: what the map takes the definition takes, and the other way round. The compiler is the judge. */
type Same<A, B> = [A, B] extends [B, A] ? true : false;
type ArgsOf<D extends Action> = Given<D['args']>;
/** What the written types say of a nested list is more than a definition can: there it is any list. */
type Plain<A> = Omit<A, 'actions'>;

test('the written types say of arguments what the definitions infer', () => {
  expectTypeOf<Same<ArgsOf<typeof copyFile>, ActionMap['FA_copy_file']['args']>>().toEqualTypeOf<true>();
  expectTypeOf<Same<ArgsOf<typeof readFile>, ActionMap['FA_read_file']['args']>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Plain<ArgsOf<typeof forEachAction>>, Plain<ActionMap['FA_for_each']['args']>>>().toEqualTypeOf<true>();
});

test('the written types say of values what the definitions infer', () => {
  expectTypeOf<Same<Out<typeof copyFile.returns>, ActionMap['FA_copy_file']['value']>>().toEqualTypeOf<true>();
  expectTypeOf<Same<Out<typeof readFile.returns>, ActionMap['FA_read_file']['value']>>().toEqualTypeOf<true>();
});

test('a wrong argument is told apart', () => {
  expectTypeOf<Same<ArgsOf<typeof copyFile>, ActionMap['FA_read_file']['args']>>().toEqualTypeOf<false>();
});

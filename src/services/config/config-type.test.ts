import { expectTypeOf, test } from 'vitest';
import type { Config } from './config.generated.ts';
import type { ConfigOfSchema } from './schema/config.ts';

test('the written types say of a configuration what the schema says', () => {
  expectTypeOf<[Config, ConfigOfSchema] extends [ConfigOfSchema, Config] ? true : false>().toEqualTypeOf<true>();
  expectTypeOf<keyof Config>().toEqualTypeOf<keyof ConfigOfSchema>();
});

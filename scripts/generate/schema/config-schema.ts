import { configJsonSchema } from '../../../src/services/config/json-schema.ts';
import { jsonLines } from '../json-lines.ts';

/** The JSON Schema of `factotum.toml` for editors. */
export const configSchemaSource = (): string => jsonLines(configJsonSchema());

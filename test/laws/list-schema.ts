import { readFileSync } from 'node:fs';
import type { JsonSchema } from '../../src/core/shapes.ts';

/** The schema of action lists as published. */
export const listSchema: JsonSchema = JSON.parse(readFileSync('schema/action-list.schema.json', 'utf8'));

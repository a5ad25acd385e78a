import { setImmediate } from 'node:timers/promises';
import { isLarge, jsonPieces } from '../../../core/json-pieces.ts';

/** After this time others have their turn. */
const TURN_MS = 8;

/** The JSON of a value, as `JSON.stringify` gives it; a large one is written without holding the thread. */
export const jsonInSlices = async (value: unknown): Promise<string> => {
  if (!isLarge(value)) return JSON.stringify(value);
  let json = '';
  let turnBegunMs = performance.now();
  for (const piece of jsonPieces(value)) {
    json += piece;
    if (performance.now() - turnBegunMs <= TURN_MS) continue;
    await setImmediate();
    turnBegunMs = performance.now();
  }
  return json;
};

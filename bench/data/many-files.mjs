// A million files of a few bytes in a thousand directories; every tenth is like another one.
import { mkdirSync, writeFileSync } from 'node:fs';

const DIRECTORIES = 1_000;
const FILES_EACH = 1_000;

export const writeManyFiles = (folder) => {
  for (let directory = 0; directory < DIRECTORIES; directory += 1) {
    const place = `${folder}/d${String(directory).padStart(3, '0')}`;
    mkdirSync(place);
    for (let file = 0; file < FILES_EACH; file += 1) {
      const number = directory * FILES_EACH + file;
      writeFileSync(`${place}/f${file}.txt`, `${number % 10 === 0 ? number % 1_000 : number}\n`.padStart(8 + (number % 90)));
    }
  }
};

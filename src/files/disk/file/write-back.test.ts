import { describe, expect, test } from 'vitest';
import { createWriteBack } from './write-back.ts';

const MIB = 1024 * 1024;

/** A file whose syncs end when they are told to. */
const slowFile = () => {
  const syncs: Ending[] = [];
  return {
    syncs,
    sync: () =>
      new Promise<void>((resolve, reject) => {
        syncs.push({ resolve, reject });
      }),
  };
};

interface Ending {
  resolve(): void;
  reject(fault: Error): void;
}

describe('write-back of a large file', () => {
  test('leaves a small file to its end', async () => {
    const file = slowFile();
    const writeBack = createWriteBack(file);
    for (let done = 0; done < 31; done += 1) writeBack.wrote(MIB);
    expect(file.syncs).toEqual([]);
    await writeBack.settled();
  });

  test('syncs in between, once at a time', async () => {
    const file = slowFile();
    const writeBack = createWriteBack(file);
    for (let done = 0; done < 100; done += 1) writeBack.wrote(MIB);
    expect(file.syncs).toHaveLength(1);
    file.syncs[0]?.resolve();
    await writeBack.settled();
    writeBack.wrote(MIB);
    expect(file.syncs).toHaveLength(2);
  });

  test('tells a fault to whoever waits, and syncs no more', async () => {
    const file = slowFile();
    const writeBack = createWriteBack(file);
    writeBack.wrote(32 * MIB);
    file.syncs[0]?.reject(new Error('no space'));
    await expect(writeBack.settled()).rejects.toThrow('no space');
    writeBack.wrote(32 * MIB);
    expect(file.syncs).toHaveLength(1);
    await expect(writeBack.settled()).rejects.toThrow('no space');
  });
});

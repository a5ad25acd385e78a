import { expect, test } from 'vitest';
import { refuseBatchFile } from './batch-file.ts';
import { runProgram } from './run-program.ts';

test.each(['a.bat', 'a.BAT', 'a.cMd', '/x/a.cmd', 'C:\\x\\a.Bat', 'a.bat.', 'a.bat . ', '.cmd'])(
  'the batch file %j is refused',
  (program) => {
    expect(() => refuseBatchFile(program)).toThrow(/is a batch file, which only a shell can run; name the program/);
  },
);

test.each(['bat', 'cmd', 'a.bat.exe', 'a.batch', '/x.bat/tool'])('the program %j is let through', (program) => {
  expect(() => refuseBatchFile(program)).not.toThrow();
});

test('a batch file is never started', async () => {
  await expect(runProgram({ argv: ['x.Cmd'], signal: new AbortController().signal })).rejects.toThrow('batch file');
});

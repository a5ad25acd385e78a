import { describe, expect, test } from 'vitest';
import { createCsvKernel } from './csv-kernel.ts';

const convert = (text: string, { isLast = true, outputBytes = 1_024, columns = ['a', 'b'] } = {}) => {
  const kernel = createCsvKernel({ delimiter: ',', columns, inputBytes: 1_024, outputBytes });
  if (kernel === undefined) throw new Error('there is no WebAssembly');
  kernel.input.set(Buffer.from(text));
  const { status, consumed, output } = kernel.convert(0, Buffer.byteLength(text), { isLast });
  return {
    status,
    left: Buffer.from(text).subarray(consumed).toString(),
    output: Buffer.from(output).toString(),
    rows: kernel.rows(),
    lines: kernel.lines(),
  };
};

describe('the CSV kernel', () => {
  test('writes whole records and leaves the unfinished one', () => {
    expect(convert('1,2\r\n\n"x\n","y""z"\n3,', { isLast: false })).toEqual({
      status: 'done',
      left: '3,',
      output: '{"a":"1","b":"2"}\n{"a":"x\\n","b":"y\\"z"}\n',
      rows: 2,
      lines: 4,
    });
  });

  test.each(['"x"', '"x', '1,2\r', 'x', '\r'])('does not know yet how %j goes on', (text) => {
    expect(convert(text, { isLast: false })).toMatchObject({ status: 'done', left: text, output: '' });
  });

  test.each<[text: string, output: string]>([
    ['1,2', '{"a":"1","b":"2"}\n'],
    ['"x"', '{"a":"x","b":null}\n'],
    ['1,', '{"a":"1","b":""}\n'],
    ['x\r', '{"a":"x","b":null}\n'],
    ['\0\u001f\b\f\t\\"é', '{"a":"\\u0000\\u001f\\b\\f\\t\\\\\\"é","b":null}\n'],
  ])('ends %j with the file', (text, output) => {
    expect(convert(text)).toMatchObject({ status: 'done', left: '', output });
  });

  test.each(['1,2,3\n', '"x"y\n', '"x'])('leaves %j to the careful reader, with what stood before it done', (text) => {
    expect(convert(`1,2\n${text}`)).toEqual({ status: 'unusual', left: text, output: '{"a":"1","b":"2"}\n', rows: 1, lines: 1 });
  });

  test('stops before the record that has no room, and gives one up that never will', () => {
    expect(convert('1,2\n3,4\n5,6\n', { outputBytes: 110 })).toMatchObject({ status: 'full', left: '5,6\n', rows: 2 });
    expect(convert(`${'x'.repeat(200)},2\n`, { outputBytes: 110 })).toMatchObject({ status: 'unusual', output: '' });
  });
});

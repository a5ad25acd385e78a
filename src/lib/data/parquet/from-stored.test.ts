import type { SchemaElement } from 'hyparquet';
import { describe, expect, test } from 'vitest';
import { leafReader } from './from-stored.ts';

const read = (element: Omit<SchemaElement, 'name'>, value: unknown) => leafReader({ name: 'a', ...element })(value);

/** Nanoseconds of the day, then the day by the Julian count. */
const int96 = (day: number, nanos: bigint): Buffer => {
  const bytes = Buffer.alloc(12);
  bytes.writeBigInt64LE(nanos, 0);
  bytes.writeInt32LE(day, 8);
  return bytes;
};

describe('what only older or other writers use', () => {
  test.each<[about: string, element: Omit<SchemaElement, 'name'>, stored: unknown, value: unknown]>([
    ['times of 96 bits', { type: 'INT96' }, int96(2_461_072, 47_100_123_456_789n), '2026-01-31T13:05:00.123456789Z'],
    ['times of 96 bits far ahead', { type: 'INT96' }, int96(107_641_749, 82_800_000_000_000n), '+290000-12-30T23:00:00.000000000Z'],
    ['moments by the older mark', { type: 'INT64', converted_type: 'TIMESTAMP_MILLIS' }, 1769864700250n, '2026-01-31T13:05:00.250Z'],
    ['times by the older mark', { type: 'INT64', converted_type: 'TIME_MICROS' }, 1n, '00:00:00.000001'],
    ['dates by the newer mark', { type: 'INT32', logical_type: { type: 'DATE' } }, -1, '1969-12-31'],
    ['unsigned by the newer mark', { type: 'INT32', logical_type: { type: 'INTEGER', bitWidth: 32, isSigned: false } }, -1, 4294967295],
    ['half floats', { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, logical_type: { type: 'FLOAT16' } }, Uint8Array.of(0x00, 0xc1), -2.5],
    [
      'the smallest half float',
      { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, logical_type: { type: 'FLOAT16' } },
      Uint8Array.of(1, 0),
      2 ** -24,
    ],
    [
      'an infinite half float',
      { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 2, logical_type: { type: 'FLOAT16' } },
      Uint8Array.of(0, 0xfc),
      '-Infinity',
    ],
    ['decimals as bytes', { type: 'BYTE_ARRAY', converted_type: 'DECIMAL', scale: 2 }, Uint8Array.of(0xff, 0x85), '-1.23'],
    ['decimals of no bytes', { type: 'BYTE_ARRAY', converted_type: 'DECIMAL', scale: 0 }, new Uint8Array(0), '0'],
    [
      'intervals',
      { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 12, converted_type: 'INTERVAL' },
      Buffer.from('010000000200000088130000', 'hex'),
      'P1M2DT5S',
    ],
    ['enumerations', { type: 'BYTE_ARRAY', converted_type: 'ENUM' }, Buffer.from('RED'), 'RED'],
    [
      'JSON by the older mark',
      { type: 'BYTE_ARRAY', converted_type: 'JSON' },
      Buffer.from('{"id":12345678901234567890}'),
      { id: '12345678901234567890' },
    ],
    ['JSON that is none', { type: 'BYTE_ARRAY', converted_type: 'JSON' }, Buffer.from('{'), '{'],
    ['bytes without a meaning', { type: 'BYTE_ARRAY' }, Uint8Array.of(0x61), { base64: 'YQ==' }],
    ['nothing', { type: 'INT32' }, undefined, null],
  ])('%s', (_about, element, stored, value) => {
    expect(read(element, stored)).toEqual(value);
  });
});

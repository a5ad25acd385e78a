import { describe, expect, test } from 'vitest';
import type { Access } from '../core/files.ts';
import { createLocationRule } from './location-rule.ts';

const demand = createLocationRule({
  locations: ['s3+backup://bucket/in/', 'sftp+box://'],
  readOnlyLocations: ['s3+backup://bucket', 's3+backup://bucket/in/closed', 'sftp+box://etc'],
});

describe('a caller may', () => {
  test.each<[Access, string]>([
    ['read', 's3+backup://bucket/x'],
    ['read', 's3+backup://bucket'],
    ['write', 's3+backup://bucket/in/x'],
    ['remove', 's3+backup://bucket/in/deep/x'],
    ['write', 's3+backup://bucket/in'],
    ['read', 's3+backup://bucket/in/closed/x'],
    ['write', 'sftp+box://anything'],
    ['write', 'mem://anything'],
  ])('%s %s', (access, written) => expect(() => demand(written, access)).not.toThrow());
});

describe('a caller may not', () => {
  test.each<[Access, string, string]>([
    ['write', 's3+backup://bucket/x', 'read_only_locations'],
    ['remove', 's3+backup://bucket/in/closed/x', 'read_only_locations'],
    ['write', 'sftp+box://etc/passwd', 'read_only_locations'],
    ['read', 's3+backup://bucket2/x', 'locations'],
    ['read', 's3+backup://buck', 'locations'],
    ['read', 's3+other://bucket/in/x', 'locations'],
    ['read', 's3://bucket/in/x', 'locations'],
    ['read', 'ftp+box://x', 'locations'],
    ['read', 'sftp+box:///etc/passwd', 'locations'],
  ])('%s %s', (access, written, rule) =>
    expect(() => demand(written, access)).toThrow(
      expect.objectContaining({ type: 'PolicyException', context: expect.objectContaining({ rule }) }),
    ),
  );
});

test('where letters count the same, large or small, so does a rule', () => {
  const demand = createLocationRule({ locations: ['smb+nas://'], readOnlyLocations: ['smb+nas://Keep/'] });
  for (const path of ['Keep/x', 'KEEP/x', 'keep'])
    expect(() => demand(`smb+nas://${path}`, 'write')).toThrow(
      expect.objectContaining({ context: expect.objectContaining({ rule: 'read_only_locations' }) }),
    );
  expect(() => demand('smb+nas://other', 'write')).not.toThrow();
});

test('the top of a machine contains everything from there', () => {
  const demand = createLocationRule({ locations: ['sftp+nas:///'] });
  expect(() => demand('sftp+nas:///srv/x', 'write')).not.toThrow();
  expect(() => demand('sftp+nas://x', 'read')).toThrow();
});

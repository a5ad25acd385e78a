import { callAction } from '../library/call-action.ts';
import { validateHttpUrl } from '../library/validate-http-url.ts';
import { readArguments } from './keywords.ts';

interface ChecksumArguments {
  readonly algorithm?: string;
  readonly chunk_size?: number;
}

const CHECKSUM = { algorithm: 'string', chunk_size: 'number' } as const;

/** The digest of a file as lower-case hex. */
export const file_checksum = async (
  path: string,
  algorithm?: string | ChecksumArguments,
  chunk_size?: number | ChecksumArguments,
): Promise<string> =>
  callAction('FA_file_checksum', { path, ...readArguments<ChecksumArguments>('file_checksum', CHECKSUM, [algorithm, chunk_size]) });

/** Whether the digest of a file is the expected one. */
export const verify_checksum = async (
  path: string,
  expected: string,
  algorithm?: string | ChecksumArguments,
  chunk_size?: number | ChecksumArguments,
): Promise<boolean> =>
  callAction('FA_verify_checksum', {
    path,
    expected,
    ...readArguments<ChecksumArguments>('verify_checksum', CHECKSUM, [algorithm, chunk_size]),
  });

interface UrlArguments {
  readonly allow_private?: boolean;
}

/** Gives a URL back that leads to a public machine; throws `UrlValidationException` for every other. */
export const validate_http_url = async (url: string, allow_private?: boolean | UrlArguments): Promise<string> => {
  const given = readArguments<UrlArguments>('validate_http_url', { allow_private: 'boolean' }, [allow_private]);
  return validateHttpUrl(url, given.allow_private ?? false);
};

import type { StorageFaults } from '../../../faults.ts';
import type { S3Credentials } from '../sign.ts';

/** One section of the files that the tools of Amazon keep. */
export type Profile = ReadonlyMap<string, string>;

/** What leads to credentials by a way that is not gone here. */
const OTHER_WAYS = ['role_arn', 'sso_session', 'sso_start_url', 'credential_process', 'web_identity_token_file'] as const;

/** Reads one profile out of both files; what stands in the first, that of credentials, counts. */
export const readProfile = (name: string, credentials = '', config = ''): Profile | undefined => {
  const own = sectionOf(credentials, name);
  const general = sectionOf(config, name === 'default' ? name : `profile ${name}`);
  return own === undefined && general === undefined ? undefined : new Map([...(general ?? []), ...(own ?? [])]);
};

/** The keys of a profile; undefined where it has none, so that the next place is asked. */
export const credentialsOf = (profile: Profile, name: string, faults: StorageFaults): S3Credentials | undefined => {
  const accessKeyId = profile.get('aws_access_key_id');
  const secretAccessKey = profile.get('aws_secret_access_key');
  if (accessKeyId !== undefined && secretAccessKey !== undefined)
    return { accessKeyId, secretAccessKey, sessionToken: profile.get('aws_session_token') };
  const other = OTHER_WAYS.find((each) => profile.has(each));
  if (other === undefined) return undefined;
  throw faults.because(
    'denied',
    `The AWS profile ${name} gets its credentials by ${other}, which is not supported; put keys into the connection or the profile.`,
  );
};

const sectionOf = (text: string, wanted: string): Map<string, string> | undefined => {
  let found: Map<string, string> | undefined;
  let isInside = false;
  for (const line of text.split(/\r?\n/)) {
    const header = /^\s*\[\s*(.*?)\s*\]/.exec(line)?.[1];
    if (header !== undefined) {
      isInside = header.replaceAll(/\s+/g, ' ') === wanted;
      if (isInside) found ??= new Map();
    } else if (isInside) {
      // An indented line belongs to the key above it, and none of those is asked for.
      const [, key, value] = /^([^\s#;=][^=]*?)\s*=\s*(.*?)\s*$/.exec(line) ?? [];
      if (key !== undefined && value !== undefined) found?.set(key.toLowerCase(), value.replace(/\s[#;].*$/, ''));
    }
  }
  return found;
};

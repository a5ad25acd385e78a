import { join } from 'node:path';
import type { StorageFaults } from '../../../faults.ts';
import type { S3Credentials } from '../sign.ts';
import { fromContainer, fromInstance } from './metadata.ts';
import { credentialsOf, type Profile, readProfile } from './profile.ts';
import type { CredentialSources } from './sources.ts';

/** Looks in the order of Amazon's own tools: variables, the files of profiles, the container, the virtual machine. */
export const findCredentials = async (sources: CredentialSources, faults: StorageFaults, signal: AbortSignal): Promise<S3Credentials> => {
  const found =
    fromEnvironment(sources.env, faults) ??
    (await fromFiles(sources, faults)) ??
    (await fromContainer(sources, signal)) ??
    (await fromInstance(sources, signal));
  if (found !== undefined) return found;
  throw faults.because(
    'denied',
    'No AWS credentials were found in variables, profiles, container or instance; put keys into the connection, or anonymous = true.',
  );
};

/** The region that variables or the profile name. */
export const findRegion = async (sources: CredentialSources): Promise<string | undefined> =>
  sources.env.AWS_REGION ?? sources.env.AWS_DEFAULT_REGION ?? (await profileOf(sources)).profile?.get('region');

const fromEnvironment = (env: CredentialSources['env'], faults: StorageFaults): S3Credentials | undefined => {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey, AWS_SESSION_TOKEN: sessionToken } = env;
  if (accessKeyId && secretAccessKey) return { accessKeyId, secretAccessKey, sessionToken: sessionToken || undefined };
  if (env.AWS_WEB_IDENTITY_TOKEN_FILE === undefined) return undefined;
  throw faults.because('denied', 'AWS_WEB_IDENTITY_TOKEN_FILE is set, but web identity is not supported; put keys into the connection.');
};

const profileOf = async ({
  env,
  home,
  readText,
}: CredentialSources): Promise<{ readonly name: string; readonly profile?: Profile | undefined }> => {
  const name = env.AWS_PROFILE || 'default';
  const credentials = await readText(env.AWS_SHARED_CREDENTIALS_FILE ?? join(home, '.aws', 'credentials'));
  const config = await readText(env.AWS_CONFIG_FILE ?? join(home, '.aws', 'config'));
  return { name, profile: readProfile(name, credentials, config) };
};

const fromFiles = async (sources: CredentialSources, faults: StorageFaults): Promise<S3Credentials | undefined> => {
  const { name, profile } = await profileOf(sources);
  if (profile === undefined && sources.env.AWS_PROFILE)
    throw faults.because('denied', `AWS_PROFILE names the profile ${name}, which no file has; check ~/.aws/credentials and ~/.aws/config.`);
  return profile && credentialsOf(profile, name, faults);
};

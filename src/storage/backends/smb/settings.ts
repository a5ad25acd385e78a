import type { Credentials } from './security/ntlm.ts';

/** `[connections.NAME]` of the type `smb`. */
export interface SmbSettings {
  readonly server: string;
  readonly share: string;
  /** `user`, `DOMAIN\user` or `user@domain`. Left out: nobody logs in, and a session of nobody (anonymous, guest) is taken. */
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly port?: number;
  /** Demands encryption; what is not encrypted is signed. */
  readonly encrypt?: boolean;
  /** Seconds. */
  readonly connection_timeout?: number;
}

/** Who logs in. What is behind an `@` stays with the user: the server knows where to ask. */
export const credentialsOf = ({ username = '', password = '' }: SmbSettings): Credentials => {
  const [, domain = '', user = username] = /^([^\\]*)\\(.*)$/s.exec(username) ?? [];
  return { user, domain, password };
};

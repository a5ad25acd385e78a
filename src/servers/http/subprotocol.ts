/** The protocol that a WebSocket of ours speaks, where its client names protocols at all. */
const OWN_PROTOCOL = 'factotum';

const TOKEN_PREFIX = `${OWN_PROTOCOL}.token.`;

/**
 * The secret among the protocols that a client offers; undefined where there is none. Pages cannot give a WebSocket any header but this
 * one. It is never chosen as the protocol, so it does not come back in the answer.
 */
export const tokenOfProtocols = (header: string | undefined): string | undefined => {
  const offered = header?.split(',').map((each) => each.trim()) ?? [];
  const [token, ...others] = offered.filter((each) => each.startsWith(TOKEN_PREFIX)).map((each) => each.slice(TOKEN_PREFIX.length));
  if (token === undefined) return undefined;
  // Two secrets, or one in any other spelling than the usual, are as good as a wrong one.
  const secret = Buffer.from(token, 'base64url');
  return others.length === 0 && secret.toString('base64url') === token ? secret.toString() : '';
};

/** The protocol to answer with. */
export const chooseProtocol = (offered: ReadonlySet<string>): string | false => (offered.has(OWN_PROTOCOL) ? OWN_PROTOCOL : false);

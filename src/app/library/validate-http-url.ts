/** Gives a URL back that leads to a public machine; throws `UrlValidationException` for every other. */
export const validateHttpUrl = async (url: string, allowPrivate = false): Promise<string> => {
  const { createAddressGuard } = await import('../../lib/net/guard.ts');
  return createAddressGuard().validate(url, { allowPrivate });
};

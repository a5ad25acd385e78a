import { wrongSwitchIn } from '../../lib/text/known-keys.ts';

/** Gives a URL back that leads to a public machine; throws `UrlValidationException` for every other. */
export const validateHttpUrl = async (url: string, allowPrivate = false): Promise<string> => {
  const fault = wrongSwitchIn({ allowPrivate }, 'validateHttpUrl'); // anything else would count as a yes
  if (fault !== undefined) throw fault;
  const { createAddressGuard } = await import('../../lib/net/guard.ts');
  return createAddressGuard().validate(url, { allowPrivate });
};

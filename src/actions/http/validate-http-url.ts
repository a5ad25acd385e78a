import { defineAction } from '../../core/action.ts';
import { flag, text } from '../../core/args.ts';
import * as shapes from '../../core/shapes.ts';
import { createAddressGuard } from '../../lib/net/guard.ts';

const guard = createAddressGuard();

export const validateHttpUrl = defineAction({
  name: 'FA_validate_http_url',
  summary: 'Checks that a URL leads to a public machine, looking up its name, and gives it back.',
  args: {
    url: text('The URL to check.', { role: 'url' }),
    allow_private: flag('Accept addresses of private networks and of this machine too.', { default: false }),
  },
  returns: shapes.text(),
  idempotent: true,
  examples: [{ args: { url: 'https://93.184.216.34/a?b=c' }, value: 'https://93.184.216.34/a?b=c' }],
  run: (_, { url, allow_private }) => guard.validate(url, { allowPrivate: allow_private }),
});

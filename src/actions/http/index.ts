// HTTP seen from the asking side. Which machines may be asked, and how, is decided in lib/net; read lib/net/guard.ts first.
import { defineFamily } from '../../core/action.ts';
import { validateHttpUrl } from './validate-http-url.ts';

export const http = defineFamily({
  name: 'http',
  group: 'remote',
  summary: 'URLs: which of them may be asked for.',
  actions: [validateHttpUrl],
});

import type { Route } from '../route.ts';
import { type Listing, openApiDocument } from './document.ts';

export interface OpenApiRouteOptions {
  /** Asked once, when somebody first wants the document. */
  readonly loadListing: () => Promise<Listing>;
  readonly version: string;
}

/** `GET /openapi.json`: written when first asked for, then kept. */
export const openApiRoute = ({ loadListing, version }: OpenApiRouteOptions): Route => {
  let kept: string | undefined;
  return {
    method: 'GET',
    path: '/openapi.json',
    open: true,
    async handle() {
      kept ??= JSON.stringify(openApiDocument({ listing: await loadListing(), version, url: '/' }));
      return { status: 200, text: { type: 'application/json', content: kept } };
    },
  };
};

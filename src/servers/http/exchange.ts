import type { ServerResponse } from 'node:http';
import type { Caller } from '../../access/caller.ts';
import type { Turnstile } from '../turnstile.ts';
import { type BodyRules, readBody } from './body.ts';
import type { Passed } from './head.ts';
import type { Asked } from './in-order.ts';
import type { HttpRequest } from './request.ts';
import type { Exchange } from './route.ts';
import { enterTurn } from './routes/turn.ts';

/** What a door takes requests by. */
export interface ExchangeRules extends BodyRules {
  readonly turnstile: Turnstile;
}

/** A request whose head has passed. A class, because one is made for each. */
export class PassedExchange implements Exchange {
  readonly request: HttpRequest;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly caller: Caller;
  readonly params: readonly string[];
  readonly query: string;
  /** Whether it counts as under way. */
  isInTurn = false;
  readonly #proceed: (() => void) | undefined;
  readonly #rules: ExchangeRules;

  constructor({ request, response, proceed }: Asked, requestId: string, { caller, params, query }: Passed, rules: ExchangeRules) {
    this.request = request;
    this.response = response;
    this.requestId = requestId;
    this.caller = caller;
    this.params = params;
    this.query = query;
    this.#proceed = proceed;
    this.#rules = rules;
  }

  enter(): void {
    enterTurn(this.#rules.turnstile, this.caller);
    this.isInTurn = true;
  }

  body(): Promise<Buffer> {
    this.#proceed?.();
    return readBody(this.request, this.caller, this.#rules);
  }
}

/** A server that is up. */
export interface OpenDoor extends AsyncDisposable {
  /** Where it listens: `http://127.0.0.1:9944`, `tcp://127.0.0.1:9943`. */
  readonly url: string;
  readonly host: string;
  readonly port: number;
  /** Stops accepting, lets what runs finish (lists under way belong to the turnstile), closes the rest. */
  close(): Promise<void>;
}

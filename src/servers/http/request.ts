import { IncomingMessage } from 'node:http';
import { Fields } from './fields.ts';

/** Takes a body as it comes from the connection. */
export interface BodySink {
  /** False: no more is wanted for now. */
  take(chunk: Buffer): boolean;
  end(): void;
  /** The connection closed before the end. */
  gone(): void;
}

/**
 * A request that can hand its body over as it comes. The queue and the events of a stream are for readers that pause; to a list that is
 * read as a whole they would cost more than running it.
 */
export class HttpRequest extends IncomingMessage {
  #sink: BodySink | undefined;
  #fields: Fields | undefined;
  /** Node's own mark that somebody reads the body: what nobody reads it throws away after the answer. */
  declare _consumed: boolean;

  get fields(): Fields {
    this.#fields ??= new Fields(this.rawHeaders);
    return this.#fields;
  }

  /** Tells the sink of everything from now on. */
  handOver(sink: BodySink): void {
    if (this.destroyed) sink.gone();
    else if (this.complete || this.readableLength > 0) {
      this.on('data', (chunk: Buffer) => sink.take(chunk))
        .on('end', () => sink.end())
        .on('close', () => sink.gone());
    } else {
      this.#sink = sink;
      this._consumed = true;
    }
  }

  /** Called by Node's parser; null is the end. */
  override push(chunk: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.#sink === undefined) return super.push(chunk, encoding);
    if (chunk !== null) return this.#sink.take(chunk);
    this.#sink.end();
    return true;
  }

  override _destroy(fault: Error | null, callback: (fault?: Error | null) => void): void {
    this.#sink?.gone();
    super._destroy(fault, callback);
  }
}

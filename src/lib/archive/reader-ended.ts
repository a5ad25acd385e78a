import { ArchiveException, QuotaExceededException } from '../../core/errors.ts';
import type { EndReason } from '../workers/foreign/threads.ts';

/** What a command is told whose reader of a format had to be ended. */
export const readerEnded =
  (format: string) =>
  (why: EndReason, cause?: unknown): ArchiveException | QuotaExceededException => {
    switch (why) {
      case 'memory':
        return new QuotaExceededException(`The archive needs more memory than its reader may take; extract it with another program.`, {
          context: { limit: 'memory', format },
          cause,
        });
      case 'silent':
        return new ArchiveException('The archive keeps its reader busy without end; do not trust it, or extract it with another program.', {
          context: { format, reason: 'silent' },
          cause,
        });
      case 'crashed':
        return new ArchiveException('The archive makes its reader fail; get it again from its source or make it anew.', {
          context: { format, reason: 'crashed' },
          cause,
        });
    }
  };

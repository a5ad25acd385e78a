import { CancelledException, InternalException, QuotaExceededException, TimeoutException } from '../../core/errors.ts';
import type { EndReason } from './crew.ts';

export interface EndLimits {
  readonly maxHeapMb: number;
  readonly maxMemoryMb: number;
  readonly maxSpinMs: number;
}

/** What a command fails with whose thread had to be ended. */
export const endFault = (why: EndReason, action: string, { maxHeapMb, maxMemoryMb, maxSpinMs }: EndLimits): Error => {
  switch (why) {
    case 'memory':
      return new QuotaExceededException(
        `${action} took more than ${maxHeapMb} MB of memory, so it was ended; give it less at once or raise runner_heap_mb in [limits].`,
        { context: { limit: 'runner_heap_mb', runner_heap_mb: maxHeapMb } },
      );
    case 'shared_memory':
      return new QuotaExceededException(
        `The service took more than ${maxMemoryMb} MB of memory beyond what it has at rest, so ${action} was ended, which took most of it; give it less at once or raise runner_memory_mb in [limits].`,
        { context: { limit: 'runner_memory_mb', runner_memory_mb: maxMemoryMb } },
      );
    case 'spinning':
      return new TimeoutException(
        `${action} computed for ${maxSpinMs / 1000} s without a pause, so it was ended; give it less at once or raise runner_busy_s in [limits].`,
        { context: { limit: 'runner_busy_s', runner_busy_s: maxSpinMs / 1000 } },
      );
    case 'closed':
      return new CancelledException('The service stops.');
    case 'unheeding':
      return new CancelledException(`Another command of the run was stopped and had to be ended with its thread, and ${action} with it.`);
    case 'crashed':
      return new InternalException(`The thread that carried out ${action} ended in the middle of it; the log has the details.`);
  }
};

import { SMBException } from '../../../core/errors.ts';
import { createFaults, type StorageFaults } from '../../faults.ts';
import type { Answer } from './wire/message.ts';
import { meaningOfStatus, nameOfStatus, STATUS } from './wire/status.ts';

/** The refusals of one storage, and what the statuses of its server mean. */
export interface SmbFaults extends StorageFaults {
  ofStatus(status: number, path: string): SMBException;
  /** Refuses an answer that is not the one hoped for. */
  demandOk(answer: Answer | undefined, path: string): Answer;
}

export const createSmbFaults = (location: string): SmbFaults => {
  const ofStatus = (status: number, path: string): SMBException => {
    const { code, words, isRetryable = false } = meaningOfStatus(status);
    const at = `${location}/${path}`;
    const name = nameOfStatus(status);
    return new SMBException(`${at}: ${words} (${name}).`, {
      context: { code, location: at, server_code: name },
      retryable: isRetryable,
    });
  };
  return {
    ...createFaults(SMBException, location),
    ofStatus,
    demandOk(answer, path) {
      if (answer?.status !== STATUS.ok) throw ofStatus(answer?.status ?? STATUS.notSupported, path);
      return answer;
    },
  };
};

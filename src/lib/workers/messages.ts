import { errorOf } from '../../core/error-of.ts';
import { FileAutomationException } from '../../core/errors.ts';
import type { TaskName } from './tasks.ts';

/** What a thread is told at its start, where it is told anything. */
export interface ThreadStart {
  readonly maxWasmBytes: number;
}

/** What a thread is asked to do. */
export interface Order {
  readonly id: number;
  readonly task: TaskName;
  readonly input: unknown;
}

/** What became of an order. */
export type Answer = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly fault: FaultMessage };

/** A fault as plain data, because cloning an error drops its class and its code. */
export type FaultMessage =
  | { readonly kind: 'typed'; readonly record: ReturnType<FileAutomationException['toJSON']> }
  | { readonly kind: 'system'; readonly message: string; readonly fields: SystemFields }
  | { readonly kind: 'foreign'; readonly message: string; readonly stack: string };

interface SystemFields {
  readonly code: string;
  readonly syscall?: string;
  readonly path?: string;
}

/** Turns what a task threw into a message. */
export const packFault = (fault: unknown): FaultMessage => {
  if (fault instanceof FileAutomationException) return { kind: 'typed', record: fault.toJSON() };
  if (!(fault instanceof Error)) return { kind: 'foreign', message: String(fault), stack: '' };
  const { code, syscall, path }: NodeJS.ErrnoException = fault;
  if (typeof code !== 'string') return { kind: 'foreign', message: fault.message, stack: fault.stack ?? '' };
  return {
    kind: 'system',
    message: fault.message,
    fields: { code, ...(syscall !== undefined && { syscall }), ...(path !== undefined && { path }) },
  };
};

/** Turns a message back into the error that the task threw, of the same class. */
export const unpackFault = (fault: FaultMessage): Error => {
  switch (fault.kind) {
    case 'typed':
      return errorOf(fault.record);
    case 'system':
      return Object.assign(new Error(fault.message), fault.fields);
    case 'foreign':
      return Object.assign(new Error(fault.message), fault.stack !== '' && { stack: fault.stack });
  }
};

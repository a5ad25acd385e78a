import { TemplateException } from '../../core/errors.ts';

export interface RenderOptions {
  /** Values become HTML text. */
  readonly autoescape: boolean;
}

/** How a value of the context shows in the output. Lists and objects have no text of their own. */
export const textOfValue = (value: unknown): string => {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  throw new TemplateException('Only texts, numbers and booleans can be inserted; name a value inside the object or list.');
};

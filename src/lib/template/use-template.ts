import { TemplateException } from '../../core/errors.ts';
import { type BoundedWork, runBounded } from '../workers/foreign/run-bounded.ts';
import { render } from './render.ts';
import type { RenderOrder } from './render-task.ts';

/** For whom it is done. */
export interface RenderWork {
  readonly signal: AbortSignal;
  readonly isLimited: boolean;
}

/** Up to this length a template and its values are quickly rendered; a thread of its own would take longer to start. */
const QUICK_CHARS = 64 * 1024;

/**
 * Renders a template. A long one, or one of a caller with limits that calculates anything, on a thread that ends with the signal: a filter
 * does its work in one go.
 */
export const useTemplate = async (order: RenderOrder, { signal, isLimited }: RenderWork): Promise<string> => {
  const { template, context, settings } = order;
  const isQuick = template.length + JSON.stringify(context).length <= QUICK_CHARS;
  if (isQuick && !(isLimited && settings.engine === 'liquid' && CALCULATES.test(template))) return render(template, context, settings);
  const makeError: BoundedWork['makeError'] = (message, about) => new TemplateException(message, { context: about });
  return runBounded('render_template', order, { signal, isLimited, name: 'The template', makeError });
};

/** A filter or a tag. */
const CALCULATES = /\||\{%/;

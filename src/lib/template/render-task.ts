import type { Task } from '../workers/task.ts';
import { type RenderSettings, render } from './render.ts';

/** A template and its values. */
export interface RenderOrder {
  readonly template: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly settings: RenderSettings;
}

/** Renders on whatever thread runs it. */
export const renderTemplate: Task<RenderOrder, string> = async ({ template, context, settings }) => ({
  value: await render(template, context, settings),
});

import { setImmediate as giveWay } from 'node:timers/promises';
import type { Liquid, Template } from 'liquidjs';
import { FileAutomationException, TemplateException } from '../../core/errors.ts';
import { escapeHtml } from './escape-html.ts';
import { createOutput, MAX_NESTING, MAX_RENDER_MS, MAX_ROUNDS, MAX_SOURCE_CHARS, MAX_WORK, overLimit } from './limits.ts';
import { type RenderOptions, textOfValue } from './value-text.ts';

type Library = typeof import('liquidjs');

/** The longest that a loop holds up the event loop. */
const TURN_MS = 8;
/** They read other files, and there are none. */
const TAGS_OF_FILES = ['include', 'render', 'layout', 'block'];

/** Renders `{{ … }}` and `{% … %}` over the own keys of a JSON context: no calls, no files, bounded in time and size. */
export const renderLiquid = async (
  template: string,
  context: Readonly<Record<string, unknown>>,
  options: RenderOptions,
): Promise<string> => {
  const library = await import('liquidjs');
  try {
    const clock = startClock();
    const engine = openEngine(library, options, clock);
    const templates = engine.parse(template);
    guardLoops(library, templates, createRound(clock), 1);
    const output = createOutput();
    const scope = new library.Context(withoutPrototypes(context), engine.options, {}, { liquid: engine });
    const emitter = { buffer: '', write: (value: unknown) => output.write(textOf(value)) };
    await library.toPromise(engine.renderer.renderTemplates(templates, scope, emitter));
    return output.text();
  } catch (fault) {
    throw translated(fault);
  }
};

/** One engine a render: what it has used up is counted in it. */
const openEngine = ({ Liquid: Engine }: Library, { autoescape }: RenderOptions, clock: Clock): Liquid => {
  let inserted = 0;
  const insert = (value: unknown): string => {
    const text = textOf(value);
    inserted += text.length;
    if (inserted > MAX_WORK) throw overLimit('characters inserted', MAX_WORK);
    clock.check();
    return text;
  };
  const engine = new Engine({
    ownPropertyOnly: true,
    strictVariables: true,
    strictFilters: true,
    templates: {},
    parseLimit: MAX_SOURCE_CHARS,
    memoryLimit: MAX_WORK,
    outputEscape: autoescape ? (value) => escapeHtml(insert(value)) : insert,
  });
  for (const name of TAGS_OF_FILES) Reflect.deleteProperty(engine.tags, name);
  for (const name of ['raw', 'safe']) engine.registerFilter(name, { raw: true, handler: insert });
  for (const [name, known] of [
    ['upper', 'upcase'],
    ['lower', 'downcase'],
    ['length', 'size'],
  ] as const) {
    const filter = engine.filters[known];
    if (filter !== undefined) engine.registerFilter(name, filter);
  }
  return engine;
};

/** How a value shows; a list is its items one after the other, and nothing is nothing. */
const textOf = (value: unknown): string => {
  if (value === null || value === undefined) return '';
  return Array.isArray(value) ? value.map(textOf).join('') : textOfValue(value);
};

/** Makes every loop begin its rounds with a count, and refuses what is nested too deeply. */
const guardLoops = (library: Library, templates: readonly Template[], round: () => Promise<void> | undefined, depth: number): void => {
  if (depth > MAX_NESTING) {
    throw new TemplateException(`The template nests its tags more than ${MAX_NESTING} deep; make it flatter.`, {
      context: { limit: MAX_NESTING },
    });
  }
  for (const template of templates) {
    if (template.children === undefined) continue;
    // Without partials a tag knows its children at once: the generator ends in its first step.
    const { value } = template.children(false, true).next();
    if (Array.isArray(value)) guardLoops(library, value, round, depth + 1);
    if (template instanceof library.ForTag || template instanceof library.TablerowTag)
      template.templates.unshift({ token: template.token, render: round });
  }
};

/** Counts rounds; now and then lets others have their turn. */
const createRound = (clock: Clock) => {
  let rounds = 0;
  return (): Promise<void> | undefined => {
    rounds += 1;
    if (rounds > MAX_ROUNDS) throw overLimit('loop rounds', MAX_ROUNDS);
    return clock.check() < TURN_MS ? undefined : clock.giveWay();
  };
};

/** The time that a render has used; what others use in between does not count. */
interface Clock {
  /** Milliseconds since others had their turn; throws when the time is used up. */
  check(): number;
  giveWay(): Promise<void>;
}

/**
 * Counts the time that the processor worked. The clock alone would count the turns of other programs on a busy machine, the processor time
 * of the process alone that of its other threads: the lesser of the two is nearest.
 */
const startClock = (): Clock => {
  let turnMs = performance.now();
  let turnCpuMs = cpuMs();
  let usedMs = 0;
  const check = (): number => {
    const thisTurnMs = performance.now() - turnMs;
    if (usedMs + thisTurnMs > MAX_RENDER_MS && usedMs + workedMs(thisTurnMs) > MAX_RENDER_MS)
      throw overLimit('milliseconds', MAX_RENDER_MS);
    return thisTurnMs;
  };
  const workedMs = (thisTurnMs: number): number => Math.min(thisTurnMs, cpuMs() - turnCpuMs);
  return {
    check,
    async giveWay() {
      usedMs += workedMs(check());
      await giveWay();
      turnMs = performance.now();
      turnCpuMs = cpuMs();
    },
  };
};

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000;
};

/** A copy in which objects have no prototype: nothing can be reached, and nothing but own keys shows. */
const withoutPrototypes = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  // Both keep the keys and values of what they copy.
  if (Array.isArray(value)) return value.map(withoutPrototypes) as T;
  const copy: Record<string, unknown> = Object.create(null);
  for (const [key, item] of Object.entries(value)) copy[key] = withoutPrototypes(item);
  return copy as T;
};

const translated = (fault: unknown): FileAutomationException => {
  if (fault instanceof FileAutomationException) return fault;
  if (!(fault instanceof Error)) return new TemplateException('The template cannot be rendered.', { cause: fault });
  if ('originalError' in fault && fault.originalError instanceof FileAutomationException) return fault.originalError;
  if (fault.message.includes('memory alloc limit exceeded')) return overLimit('characters made by filters', MAX_WORK);
  const message = fault instanceof RangeError ? 'it is nested too deeply or grows too large' : fault.message;
  return new TemplateException(`The template cannot be rendered: ${message}.`, { cause: fault });
};

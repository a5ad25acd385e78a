import type { Cli } from '../cli.ts';

/** Tells what is wrong and yet stops nothing. */
export const warn = ({ err, symbols }: Cli, message: string): void => err.line(`${err.colors.yellow(symbols.warn)} ${message}`);

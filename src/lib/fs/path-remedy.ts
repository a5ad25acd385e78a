/** What to do about a path where nothing is; one that begins with `~` was meant for a shell, which nobody asked. */
export const pathRemedy = (path: string, usual = 'check the path'): string =>
  /(?:^|[\\/])~(?:[\\/]|$)/.test(path) ? '~ does not stand for the home directory here, write it out or, in lists, as ${env:HOME}' : usual;

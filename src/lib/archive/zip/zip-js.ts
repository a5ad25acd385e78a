/** Loads the library that knows zip's encryption; it works on this thread, because what it gets has been read here. */
export const loadZipJs = async () => {
  const zipJs = await import('@zip.js/zip.js');
  zipJs.configure({ useWebWorkers: false });
  return zipJs;
};

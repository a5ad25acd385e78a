/** Milliseconds of processor time that this process has used: unlike the clock they do not depend on what else the machine does. */
export const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const SIZES = ['B', 'kB', 'MB', 'GB', 'TB'];

/** `1.5 MB`; thousands, as disks are sold. */
export const bytes = (amount: number): string => {
  const step = Math.min(SIZES.length - 1, amount < 1000 ? 0 : Math.floor(Math.log10(amount) / 3));
  return step === 0 ? `${Math.round(amount)} B` : `${(amount / 1000 ** step).toFixed(1)} ${SIZES[step]}`;
};

/** `12,000`. */
export const count = (amount: number): string => String(Math.round(amount)).replace(/\B(?=(?:\d{3})+$)/g, ',');

/** `850 ms`, `2.5 s`, `3 min 20 s`. */
export const milliseconds = (ms: number): string => (ms < 1000 ? `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms` : seconds(ms / 1000));

/** `2.5 s`, `3 min 20 s`, `1 h 5 min`. */
export const seconds = (amount: number): string => {
  if (amount < 60) return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} s`;
  const whole = Math.round(amount);
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
};

/** Work that is not shared with other threads, however long it takes. */
export const alone = { helpers: 0, patienceMs: Number.POSITIVE_INFINITY, help: async () => [] };

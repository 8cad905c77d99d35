/** Returns a promise that never settles: of a dead server, or of a request without an answer. */
export const never = (): Promise<never> => new Promise<never>(() => {});

/** Resolves after a virtual time, in milliseconds. */
export const pass = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

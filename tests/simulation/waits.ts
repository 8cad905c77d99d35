/** Never resolves: a server that is dead, or a request without an answer. */
export const never = (): Promise<never> => new Promise<never>(() => {});

/** Resolves after so many milliseconds of virtual time. */
export const pass = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

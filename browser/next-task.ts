/** Ends the running task, so that the browser can answer input and paint before what follows. */
export const nextTask = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));

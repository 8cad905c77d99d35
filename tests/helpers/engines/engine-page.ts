/** The interface of a browser for the tests of tests/e2e/engines.test.ts. */
export interface Engine {
  name: string;
  /** Opens a page with an empty profile, until `close`. */
  openPage(): Promise<EnginePage>;
  close(): Promise<void>;
}

export interface EnginePage {
  /** Navigates without waiting. */
  go(url: string): Promise<void>;
  evaluate<A extends unknown[], T>(ask: (...args: A) => T, ...args: A): Promise<T>;
  /** Scrolls an element into view and clicks its centre with the real mouse. */
  click(selector: string): Promise<void>;
  close(): Promise<void>;
}

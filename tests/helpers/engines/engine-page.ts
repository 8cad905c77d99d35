/** The interface of a browser for the scenarios, for every engine. */
export interface Engine {
  name: string;
  /** Opens a page with an empty profile, until `close`. */
  openPage(): Promise<EnginePage>;
  close(): Promise<void>;
}

export type Key = 'Tab' | 'Enter' | 'Escape' | 'Shift+Tab';

export interface EnginePage {
  /** Navigates without waiting. */
  go(url: string): Promise<void>;
  evaluate<A extends unknown[], T>(ask: (...args: A) => T, ...args: A): Promise<T>;
  /** Scrolls an element into view and clicks its centre with the real mouse. */
  click(selector: string): Promise<void>;
  hover(selector: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** The URLs of the tabs that this page has opened. */
  openedTabs(): Promise<string[]>;
  close(): Promise<void>;
}

/** What the scenarios need of a browser, whichever engine it has. */
export interface Engine {
  name: string;
  /** A page of a visitor who has never been here; ends with `close`. */
  openPage(): Promise<EnginePage>;
  close(): Promise<void>;
}

export type Key = 'Tab' | 'Enter' | 'Escape' | 'Shift+Tab';

export interface EnginePage {
  /** Goes there and does not wait for anything. */
  go(url: string): Promise<void>;
  evaluate<A extends unknown[], T>(ask: (...args: A) => T, ...args: A): Promise<T>;
  /** A real press of the mouse in the middle of an element, scrolled into view. */
  click(selector: string): Promise<void>;
  hover(selector: string): Promise<void>;
  press(key: Key): Promise<void>;
  /** The addresses of the tabs that this page has opened. */
  openedTabs(): Promise<string[]>;
  close(): Promise<void>;
}

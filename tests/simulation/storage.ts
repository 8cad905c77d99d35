/** Simulates localStorage of one browser, which can be full, or refused by the browser. */
export class BrowserStorage implements Storage {
  [name: string]: unknown;
  readonly map = new Map<string, string>();
  isFull = false;
  isRefused = false;
  wasRefused = false;

  get length(): number {
    return this.open().size;
  }
  key(place: number): string | null {
    return [...this.open().keys()][place] ?? null;
  }
  getItem(key: string): string | null {
    return this.open().get(key) ?? null;
  }
  setItem(key: string, text: string): void {
    if (this.isFull) throw new DOMException('The storage is full', 'QuotaExceededError');
    this.open().set(key, text);
  }
  removeItem(key: string): void {
    this.open().delete(key);
  }
  clear(): void {
    this.open().clear();
  }
  private open(): Map<string, string> {
    this.wasRefused ||= this.isRefused;
    if (this.isRefused) throw new DOMException('The storage is refused', 'SecurityError');
    return this.map;
  }
}

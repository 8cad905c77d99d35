/** The WebDriver commands that the WebKit tests use, over plain HTTP. */

const PATIENCE_MS = 30_000;
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

export interface WebDriverSession {
  post<T = unknown>(path: string, body?: object): Promise<T>;
  /** @returns the reference of the first matching element, for other commands */
  find(selector: string): Promise<Record<string, string> & { id: string }>;
  end(): Promise<void>;
}

export async function startSession(
  driver: string,
  capabilities: object,
): Promise<WebDriverSession> {
  const { sessionId } = await command<{ sessionId: string }>('POST', `${driver}/session`, {
    capabilities: { alwaysMatch: capabilities },
  });
  const base = `${driver}/session/${sessionId}`;
  const session: WebDriverSession = {
    post: (path, body = {}) => command('POST', `${base}/${path}`, body),
    async find(selector) {
      const found = await session.post<Record<string, string>>('element', {
        using: 'css selector',
        value: selector,
      });
      return { ...found, id: found[ELEMENT] ?? '' };
    },
    end: async () => void (await command('DELETE', base)),
  };
  return session;
}

async function command<T>(method: string, url: string, body?: object): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(url, { method, signal, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}

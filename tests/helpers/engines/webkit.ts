/** WebKit, the engine of iPhone browsers, in a window of that size, controlled by its own WebDriver over plain HTTP. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { endDaemon } from '../cluster/postgres.ts';
import type { findWebkit } from '../run/find-programs.ts';
import { freePort } from '../server/local-server.ts';

/** A browser of tests/e2e/engines.test.ts. */
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

const WINDOW = { width: 390, height: 844 };
/** Small enough that the pointer starts over the window, because the window gets the focus from the pointer. */
const SCREEN = '480x900x24';
const PATIENCE_MS = 30_000;
const ELEMENT = 'element-6066-11e4-a52e-4f735466cecf';

type Webkit = NonNullable<ReturnType<typeof findWebkit>>;

export async function startWebkit({ driver, browser, display }: Webkit): Promise<Engine> {
  const screen = spawn(display, ['-displayfd', '1', '-screen', '0', SCREEN], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [number] = await once(createInterface({ input: screen.stdout }), 'line');
  const env = {
    ...process.env,
    DISPLAY: `:${number}`,
    // Root cannot create WebKit's sandbox, and tests in a container run as root.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  };
  const open = () => openPage(driver, browser, env);
  return {
    name: 'WebKit',
    // The driver sometimes hangs after it has started the browser. A second attempt works.
    openPage: () => open().catch(open),
    close: () => endDaemon(screen, 'SIGTERM'),
  };
}

async function openPage(
  driver: string,
  binary: string,
  env: NodeJS.ProcessEnv,
): Promise<EnginePage> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const driverProcess = spawn(driver, [`--port=${port}`], { stdio: 'ignore', env });
  try {
    while (!(await fetch(`${url}/status`).catch(() => null))?.ok) await delay(50);
    const alwaysMatch = {
      pageLoadStrategy: 'none',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    };
    const made = { capabilities: { alwaysMatch } };
    const { sessionId } = await command<{ sessionId: string }>('POST', `${url}/session`, made);
    const session = `${url}/session/${sessionId}`;
    await command('POST', `${session}/window/rect`, WINDOW);
    const close = () =>
      command('DELETE', session).finally(() => endDaemon(driverProcess, 'SIGTERM'));
    return { ...pageOf(session), close };
  } catch (error) {
    await endDaemon(driverProcess, 'SIGTERM');
    throw error;
  }
}

function pageOf(session: string): Omit<EnginePage, 'close'> {
  const post = <T>(path: string, body: object = {}) =>
    command<T>('POST', `${session}/${path}`, body);
  return {
    go: (url) => post('url', { url }),
    evaluate: (ask, ...args) =>
      post('execute/sync', { script: `return (${ask})(...arguments)`, args }),
    async click(selector) {
      const question = { using: 'css selector', value: selector };
      const element = await post<Record<string, string>>('element', question);
      // The driver's own scrolling is smooth on this page, and it does not wait for the end.
      const script = `arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })`;
      await post('execute/sync', { script, args: [element] });
      await post(`element/${element[ELEMENT]}/click`);
    },
  };
}

async function command<T = void>(method: string, url: string, body?: object): Promise<T> {
  const signal = AbortSignal.timeout(PATIENCE_MS);
  const answer = await fetch(url, { method, signal, ...(body && { body: JSON.stringify(body) }) });
  const { value } = (await answer.json()) as { value: T & { error?: string; message?: string } };
  if (!answer.ok) throw new Error(`${method} ${url}: ${value.error}: ${value.message}`);
  return value;
}

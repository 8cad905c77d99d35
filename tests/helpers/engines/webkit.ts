/**
 * Starts WebKit, the engine of all browsers on iPhones, in a window of an iPhone's size, and
 * controls it over WebDriver (HTTP).
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { endDaemon } from '../cluster/postgres.ts';
import type { findWebkit } from '../run/find-programs.ts';
import { freePort } from '../server/local-server.ts';

/** A page in a browser of its own, with an empty profile. Disposing of it ends the browser. */
export interface EnginePage extends AsyncDisposable {
  /** Navigates without waiting. */
  go(url: string): Promise<void>;
  evaluate<T>(ask: () => T): Promise<T>;
  /** Scrolls an element into view and clicks its centre with the real mouse. */
  click(selector: string): Promise<void>;
}

const WINDOW = { width: 390, height: 844 };
/**
 * Size and colour depth of the virtual display. The window gets the focus only if the pointer,
 * which starts in the middle of the display, is over it.
 */
const SCREEN = '480x900x24';
/** Timeout of each WebDriver command. */
const PATIENCE_MS = 30_000;
/** The key under which WebDriver returns the id of an element. */
const ELEMENT_KEY = 'element-6066-11e4-a52e-4f735466cecf';

type Webkit = NonNullable<ReturnType<typeof findWebkit>>;

export async function openWebkit({ driver, browser, display }: Webkit): Promise<EnginePage> {
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
  // The driver sometimes hangs after it has started the browser. A second attempt works.
  const { close, ...page } = await open().catch(open);
  const end = () => close().finally(() => endDaemon(screen, 'SIGTERM'));
  return { ...page, [Symbol.asyncDispose]: end };
}

async function openPage(driver: string, binary: string, env: NodeJS.ProcessEnv) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const driverProcess = spawn(driver, [`--port=${port}`], { stdio: 'ignore', env });
  try {
    while (!(await fetch(`${url}/status`).catch(() => null))?.ok) await delay(50);
    const alwaysMatch = {
      pageLoadStrategy: 'none',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    };
    const { sessionId } = await command<{ sessionId: string }>('POST', `${url}/session`, {
      capabilities: { alwaysMatch },
    });
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

function pageOf(session: string): Omit<EnginePage, typeof Symbol.asyncDispose> {
  const post = <T>(path: string, body: object = {}) =>
    command<T>('POST', `${session}/${path}`, body);
  return {
    go: (url) => post('url', { url }),
    evaluate: (ask) => post('execute/sync', { script: `return (${ask})()`, args: [] }),
    async click(selector) {
      const question = { using: 'css selector', value: selector };
      const element = await post<Record<string, string>>('element', question);
      // The driver would scroll smoothly, as the page's style says, and click before the end.
      const script = `arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })`;
      await post('execute/sync', { script, args: [element] });
      await post(`element/${element[ELEMENT_KEY]}/click`);
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

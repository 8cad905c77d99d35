/** WebKit, the engine of iPhone browsers, in a window of that size, controlled by its own WebDriver. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { freePort } from '../server/local-server.ts';
import type { Engine, EnginePage } from './engine-page.ts';
import type { Webkit } from './webkit-find.ts';
import { startSession, type WebDriverSession } from './webkit-session.ts';

const WINDOW = { width: 390, height: 844 };
/** Small enough that the pointer starts over the window, because the window gets the focus from the pointer. */
const SCREEN = '480x900x24';

export async function startWebkit({ driver, browser, display }: Webkit): Promise<Engine> {
  const screen = spawn(display, ['-displayfd', '1', '-screen', '0', SCREEN], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const env = {
    ...process.env,
    DISPLAY: `:${await firstLine(screen.stdout)}`,
    // Root cannot create WebKit's sandbox, and tests in a container run as root.
    WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1',
  };
  const open = () => openPage(driver, browser, env);
  return {
    name: 'WebKit',
    // The driver sometimes hangs after it has started the browser. A second attempt works.
    openPage: () => open().catch(open),
    close: () => stop(screen),
  };
}

async function openPage(
  driver: string,
  binary: string,
  env: NodeJS.ProcessEnv,
): Promise<EnginePage> {
  const port = await freePort();
  const driverProcess = spawn(driver, [`--port=${port}`], { stdio: 'ignore', env });
  try {
    await untilReady(`http://127.0.0.1:${port}`);
    const session = await startSession(`http://127.0.0.1:${port}`, {
      pageLoadStrategy: 'none',
      'webkitgtk:browserOptions': { binary, args: ['--automation'] },
    });
    await session.post('window/rect', WINDOW);
    const close = () => session.end().finally(() => stop(driverProcess));
    return { ...pageOf(session), close };
  } catch (error) {
    await stop(driverProcess);
    throw error;
  }
}

function pageOf(session: WebDriverSession): Omit<EnginePage, 'close'> {
  return {
    go: async (url) => void (await session.post('url', { url })),
    evaluate: (ask, ...args) =>
      session.post('execute/sync', { script: `return (${ask})(...arguments)`, args }),
    async click(selector) {
      await session.post(`element/${(await bringIntoView(session, selector)).id}/click`);
    },
  };
}

/** Scrolls without animation, because the driver's own scrolling is smooth on this page and does not wait for its end. */
async function bringIntoView(session: WebDriverSession, selector: string) {
  const { id, ...element } = await session.find(selector);
  const script = `arguments[0].scrollIntoView({ block: 'center', behavior: 'instant' })`;
  await session.post('execute/sync', { script, args: [element] });
  return { id, ...element };
}

/** Reads the first line and leaves the stream open, because a closed one would end the writing process. */
async function firstLine(stream: Readable): Promise<string> {
  let text = '';
  while (!text.includes('\n')) text += String((await once(stream, 'data'))[0]);
  return text.trim();
}

async function untilReady(driver: string): Promise<void> {
  for (;;) {
    const answer = await fetch(`${driver}/status`).catch(() => null);
    if (answer?.ok) return;
    await delay(50);
  }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill();
  await exited;
}

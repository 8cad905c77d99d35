/** The real server of `npm run dev`: starts again when its files change, and shows its faults in the browser. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { relative } from 'node:path';
import type { ViteDevServer } from 'vite';

/** What the server imports. Vite's watcher also notices files that an editor replaces. */
const SOURCES = /^(?:server|contract|words)\/|^\.env$/;
/** An editor writes several files at once. */
const PAUSE_MS = 100;
/** Upper bound of the text of a fault. */
const MOST_TEXT = 20_000;

export interface DevServer {
  stop(): Promise<void>;
}

interface Options {
  port: number;
  /** Folder of the build. */
  dist: string;
}

export function startDevServer(vite: ViteDevServer, { port, dist }: Options): DevServer {
  let child: ChildProcess | null = null;
  let fault: string | null = null;
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const show = () => {
    if (fault === null) return;
    const err = { message: `The server has ended.\n${fault}`, stack: '', plugin: 'npm run dev' };
    vite.ws.send({ type: 'error', err });
  };
  const sendUpdate = () => vite.ws.send({ type: 'update', updates: [] });
  const start = () => {
    if (isStopped) return;
    let text = '';
    // Over the channel the server notices when this process ends.
    const started = spawn(process.execPath, ['server/main.js', dist], {
      env: { ...process.env, PORT: String(port), HOST: '127.0.0.1' },
      stdio: ['ignore', 'inherit', 'pipe', 'ipc'],
    });
    started.stderr?.on('data', (part) => {
      process.stderr.write(part);
      text = (text + part).slice(-MOST_TEXT);
    });
    started.once('close', (code) => {
      if (child !== started) return;
      child = null;
      fault = text.trim() || `Exit code ${code}`;
      // Vite's client reloads the page if the first update of its life finds a message on the page. So the first one comes before.
      sendUpdate();
      show();
    });
    child = started;
    if (fault === null) return;
    fault = null;
    // Takes the message out of the browser; the page keeps its state.
    sendUpdate();
  };
  const stop = async () => {
    const running = child;
    child = null;
    if (!running || running.exitCode !== null) return;
    const ended = once(running, 'exit');
    running.kill();
    await ended;
  };
  let turns = Promise.resolve();
  /** One after the other, because two servers cannot share a data folder. */
  const restart = () => {
    turns = turns.then(stop).then(start);
  };
  vite.watcher.on('all', (_event, path) => {
    if (!SOURCES.test(relative(vite.config.root, path))) return;
    clearTimeout(timer);
    timer = setTimeout(restart, PAUSE_MS);
  });
  vite.ws.on('connection', show);
  start();
  return {
    stop() {
      isStopped = true;
      clearTimeout(timer);
      return turns.then(stop);
    },
  };
}

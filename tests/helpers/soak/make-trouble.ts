/** What a public server meets while it takes clicks: page loads, clients that do not read, floods of connections, garbage. */
import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { openClient } from './raw-client.ts';

export interface TroubleOptions {
  port: number;
  /** Paths of the page and its files. */
  pages: readonly string[];
  /** Path of a file that does not fit into the socket's buffers. */
  film: string;
  visitors: number;
  slowReaders: number;
  /** Connections of one flood. */
  flood: number;
}

export interface Trouble {
  /** Number of answers by status. 0: the connection ended without an answer. */
  answers: Map<number, number>;
  /** How often each kind of trouble was made. */
  made: { pages: number; slowReaders: number; floods: number; garbage: number };
  /** Ends all of it, and closes its connections. */
  stop(): Promise<void>;
}

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\nAccept-Encoding: br\r\n\r\n`;
const POST = (body: string, length = body.length) =>
  `POST /api/log-cta HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\n\r\n${body}`;

/** Each ends with bytes that are not HTTP, after which the server closes the connection. */
const GARBAGE = [
  `${GET('/').repeat(20)}\0\xff\r\n\r\n`,
  `${POST('{"event":"no click"}').repeat(20)}no HTTP\r\n\r\n`,
  `${POST('{', 1)}${POST('{}', 1)}\r\n\r\n`,
  `${GET('/%zz').repeat(5)}${GET('/nowhere')}GET / HTTP/9.9\r\n\r\n`,
  `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(100_000)}\r\n\r\n`,
  'POST /api/log-cta HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n',
  '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
];
/** A slow reader takes one chunk of the film after each pause, and gives up after some. */
const SLOW_MS = 300;
const SLOW_CHUNKS = 20;
/** Pause between two troubles of a kind, so that the clicks get a share of the CPU. */
const PAUSE_MS = 10;

const ended = (socket: Socket) =>
  new Promise<void>((resolve) => void socket.once('close', resolve));
/** Resolves when the connection is open, or the server has refused it. */
const settled = (socket: Socket) =>
  new Promise<void>((resolve) => void socket.once('connect', resolve).once('close', resolve));

export function makeTrouble(options: TroubleOptions): Trouble {
  const { port } = options;
  const answers = new Map<number, number>();
  const made = { pages: 0, slowReaders: 0, floods: 0, garbage: 0 };
  const sockets = new Set<Socket>();
  let running = true;
  const note = (status: number) => void answers.set(status, (answers.get(status) ?? 0) + 1);
  const open = () => {
    const socket = connect(port, '127.0.0.1');
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  /** Repeats one kind of trouble until `stop`. */
  const repeat = async (act: () => Promise<void>) => {
    while (running) {
      await act();
      await wait(PAUSE_MS);
    }
  };

  const loadPage = async () => {
    const client = openClient(port);
    for (const path of options.pages) note((await client.send(GET(path)))?.status ?? 0);
    client.close();
    made.pages += 1;
  };
  const readSlowly = async () => {
    const socket = open();
    let chunks = 0;
    socket.on('data', () => {
      chunks += 1;
      if (chunks === SLOW_CHUNKS) socket.destroy();
      socket.pause();
      setTimeout(() => socket.resume(), SLOW_MS);
    });
    socket.write(GET(options.film));
    made.slowReaders += 1;
    await ended(socket);
  };
  const floodConnections = async () => {
    const flood = Array.from({ length: options.flood }, open);
    await Promise.all(flood.map((socket) => settled(socket)));
    flood.forEach((socket, n) => {
      if (n % 3 === 0) socket.write('GET / HT');
      if (n % 3 === 1) socket.write(GET('/'));
    });
    await wait(PAUSE_MS);
    flood.forEach((socket, n) => void (n % 2 ? socket.destroy() : socket.resetAndDestroy()));
    made.floods += 1;
  };
  const sendGarbage = async () => {
    const socket = open();
    socket.setEncoding('latin1');
    socket.on('data', (text) => {
      for (const [, status] of String(text).matchAll(/HTTP\/1\.1 (\d{3})/g)) note(Number(status));
    });
    socket.write(GARBAGE[made.garbage % GARBAGE.length] ?? '', 'latin1');
    made.garbage += 1;
    // The server closes the connection. The rest of garbage is an incomplete request, which it ends after 5 s.
    await ended(socket);
  };

  const actors = [
    ...Array.from({ length: options.visitors }, () => repeat(loadPage)),
    ...Array.from({ length: options.slowReaders }, () => repeat(readSlowly)),
    repeat(floodConnections),
    repeat(sendGarbage),
  ];
  return {
    answers,
    made,
    async stop() {
      running = false;
      for (const socket of sockets) socket.destroy();
      await Promise.all(actors);
    },
  };
}

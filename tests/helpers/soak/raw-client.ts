/** A small HTTP client on one connection, because node:http needs more CPU time for a click than the server. */
import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  status: number;
  body: string;
}

export interface RawClient {
  /** Sends a whole request, after the answer to the one before. @returns null if the connection ends without an answer */
  send(request: string): Promise<RawAnswer | null>;
  close(): void;
}

/**
 * Connects with the first request, and again after the server has closed the connection.
 *
 * @param dial opens a connection; without it, to this machine without TLS
 */
export function openClient(
  port: number,
  dial: () => Socket = () => connect(port, '127.0.0.1'),
): RawClient {
  let socket: Socket | null = null;
  let received = '';
  let settle: (answer: RawAnswer | null) => void = () => {};

  const open = () => {
    const opened = dial();
    opened.setNoDelay(true);
    opened.setEncoding('latin1');
    opened.on('error', () => {});
    opened.on('close', () => {
      // After "Connection: close" another connection has taken its place.
      if (socket !== opened) return;
      socket = null;
      received = '';
      settle(null);
    });
    opened.on('data', (text) => {
      received += text;
      const answer = readAnswer(received);
      if (answer === null) return;
      if (/^connection: close\r$/im.test(received)) {
        socket = null;
        opened.destroy();
      }
      received = '';
      settle(answer);
    });
    return opened;
  };
  return {
    send(request) {
      return new Promise((resolve) => {
        settle = resolve;
        socket ??= open();
        socket.write(request);
      });
    },
    close: () => socket?.destroy(),
  };
}

/** Our server names the length of each answer. @returns null until the answer is complete */
function readAnswer(text: string): RawAnswer | null {
  const end = text.indexOf('\r\n\r\n');
  if (end < 0) return null;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, end))?.[1] ?? 0);
  const body = text.slice(end + 4);
  return body.length < length ? null : { status: Number(text.slice(9, 12)), body };
}

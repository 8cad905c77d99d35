/** Cancels the running query of a connection. */
import { connect } from 'node:net';
import type { Client } from 'pg';
import { SECOND_MS } from '../../time.ts';

const TIMEOUT_MS = 2 * SECOND_MS;
/** The code of a CancelRequest in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;
/** Length of a CancelRequest in bytes. It is also the first number of the message. */
const MESSAGE_BYTES = 16;

/** The key of a connection for cancelling, which PostgreSQL sends when the connection opens. */
type Key = { processID: number | null; secretKey: number };

/**
 * Sends a CancelRequest on a new connection, as psql does on Ctrl-C. Without it, PostgreSQL's
 * process would go on waiting after its client has gone, for example for an absent standby, and
 * would use up one of PostgreSQL's connections. The request itself uses none of them. Errors are
 * ignored.
 */
export function cancelQuery(client: Client): void {
  const { host, port, processID, secretKey } = client as Client & Key;
  if (processID === null) return;
  const message = Buffer.alloc(MESSAGE_BYTES);
  for (const [i, value] of [MESSAGE_BYTES, CANCEL_REQUEST, processID, secretKey].entries())
    message.writeInt32BE(value, i * 4);
  const isSocketFile = host.startsWith('/');
  const socket = isSocketFile ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => {});
  socket.setTimeout(TIMEOUT_MS, () => socket.destroy()).unref();
  socket.end(message);
}

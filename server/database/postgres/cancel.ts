/** Ends what a connection of ours waits for inside PostgreSQL. */
import { connect } from 'node:net';
import type { Client } from 'pg';
import { SECOND_MS } from '../../time.ts';

const PATIENCE_MS = 2 * SECOND_MS;
/** The number of this message in PostgreSQL's protocol. */
const CANCEL_REQUEST = 80_877_102;
/** The length of this message in bytes, which is also its first number. */
const MESSAGE_BYTES = 16;

/** What PostgreSQL has told the driver at the start of the connection. */
type Key = { processID: number | null; secretKey: number };

/**
 * Asks by a connection of its own, as psql does on Ctrl-C. It needs no place among PostgreSQL's
 * connections. Without it, the process of a client that has gone waits on, for example for a
 * standby that is away, and takes up a connection. Does nothing if PostgreSQL does not answer.
 */
export function cancelWait(client: Client): void {
  const { host, port, processID, secretKey } = client as Client & Key;
  if (processID === null) return;
  const message = Buffer.alloc(MESSAGE_BYTES);
  for (const [i, value] of [MESSAGE_BYTES, CANCEL_REQUEST, processID, secretKey].entries())
    message.writeInt32BE(value, i * 4);
  const isSocketFile = host.startsWith('/');
  const socket = isSocketFile ? connect(`${host}/.s.PGSQL.${port}`) : connect(port, host);
  socket.on('error', () => {});
  socket.setTimeout(PATIENCE_MS, () => socket.destroy()).unref();
  socket.end(message);
}

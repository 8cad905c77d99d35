/**
 * Reads what is new, and writes it to standard output. Started by report/mails/alert.ts, so that
 * clicks never wait for it.
 */
import { writeSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { openReader } from '../../database/open-reader.ts';
import { type NewsOrder, readNews } from './read-news.ts';

// The server logs the cause. A stack would say no more to an operator.
process.once('uncaughtException', (cause: NodeJS.ErrnoException) => {
  writeSync(2, cause.message || String(cause.code));
  process.exit(1);
});
// As figures-process.ts.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const order: NewsOrder & { urls: string[]; file: string } = JSON.parse(await text(process.stdin));
const reader = await openReader(order.urls, order.file);
await reader.freeze();
process.stdout.write(JSON.stringify(await readNews(reader, order)));
await reader.close();

/**
 * The program that reads the counts and looks for news: its order is JSON on standard input, its
 * result JSON on standard output. report/mails/alert.ts starts it as a process of its own, so that
 * clicks never wait for it.
 */
import { writeSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { text } from 'node:stream/consumers';
import { openReader } from '../../database/open-reader.ts';
import { type NewsOrder, readNews } from './read-news.ts';

// Writes only the message to standard error: the server logs it, and a stack would not help an
// operator.
process.once('uncaughtException', (cause: NodeJS.ErrnoException) => {
  writeSync(2, cause.message || String(cause.code));
  process.exit(1);
});
// Clicks come first where processors are busy, as in figures-process.ts.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const order: NewsOrder & { urls: string[]; file: string } = JSON.parse(await text(process.stdin));
const reader = await openReader(order.urls, order.file);
await reader.freeze();
process.stdout.write(JSON.stringify(await readNews(reader, order)));
await reader.close();

// node wait-for.mjs URL SECONDS: waits until the address answers 200; fails when it has not in time.
import { setTimeout as wait } from 'node:timers/promises';

/** Time between two requests. */
const POLL_MS = 100;

const [url, seconds] = process.argv.slice(2);
const deadline = Date.now() + Number(seconds) * 1000;
for (;;) {
  const status = await fetch(url).then(
    (response) => response.status,
    () => null,
  );
  if (status === 200) break;
  if (Date.now() > deadline) {
    process.stderr.write(`${url} does not answer (${status ?? 'no connection'})\n`);
    process.exit(1);
  }
  await wait(POLL_MS);
}

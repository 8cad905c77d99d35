/** Sends POST /api/log-cta to the app. */
import { v7 } from 'uuid';
import { LOG_CTA_PATH } from '#contract/limits.ts';
import { makeBody, type Site } from './server-app.ts';

/** @param body an object is sent as JSON, a text unchanged */
export function postClick(
  { app }: Site,
  body: unknown,
  headers: Record<string, string> = {},
  url = LOG_CTA_PATH,
) {
  const payload = typeof body === 'string' ? body : JSON.stringify(body);
  const type = { 'content-type': 'application/json' };
  return app.inject({ method: 'POST', url, payload, headers: { ...type, ...headers } });
}

/** Sends clicks one after the other until the work is done. @returns their ids */
export async function clickDuring(work: Promise<unknown>, site: Site, parts: object = {}) {
  const ids: string[] = [];
  let isRunning = true;
  const done = work.finally(() => {
    isRunning = false;
  });
  while (isRunning) {
    ids.push(v7());
    await insistOnClick(site, makeBody({ ...parts, id: ids.at(-1) }));
  }
  await done;
  return ids;
}

/** Sends a click until the server keeps it, as browsers do: a busy server may answer 503. @throws after any other answer */
export async function insistOnClick(site: Site, body: Record<string, unknown>): Promise<void> {
  for (;;) {
    const { statusCode, body: answer } = await postClick(site, body);
    if (statusCode === 200) return;
    if (statusCode !== 503) throw new Error(`The server answered ${statusCode}: ${answer}`);
  }
}

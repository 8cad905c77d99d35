/** Sends POST /api/log-cta to the app. */
import { LOG_CTA_PATH } from '#contract/limits.ts';
import type { startApp } from './server-app.ts';

type Site = Awaited<ReturnType<typeof startApp>>;

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

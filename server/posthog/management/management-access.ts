/** Where PostHog's management API is and which key we have, from the settings. */
import type { Config } from '../../config.ts';
import type { Access } from './answer.ts';

/** @throws an Error that names what is missing */
export function managementAccess({ posthogApp }: Pick<Config, 'posthogApp'>): Access {
  const { host, projectId, key } = posthogApp;
  if (key && projectId && host) return { host, projectId, key };
  const missing = [
    !key && 'POSTHOG_PERSONAL_KEY (a personal API key, phx_…)',
    !projectId && 'POSTHOG_PROJECT_ID (the number in the address of your project)',
    !host && 'POSTHOG_APP_HOST (where you log in to PostHog)',
  ];
  throw new Error(`Set ${missing.filter(Boolean).join(', ')}. docs/growth.md has the steps.`);
}

/** What the files of `dashboards/` ask for, in the form in which it is compared and sent. */
import type { Dashboard } from '#dashboards/dashboard.ts';
import type { Kind } from '../../server/posthog/management/identity.ts';

export interface Wanted {
  kind: Kind;
  key: string;
  /** As PostHog shows it at first. */
  name: string;
  /** Fields that stay equal to the file. */
  managed: Record<string, unknown>;
  /** Fields that PostHog gets once. Afterwards they belong to the team. */
  initial: Record<string, unknown>;
}

/** @param now ISO 8601, for annotations without a date @returns the dashboard first, because the others need it */
export function wantedObjects(dashboard: Dashboard, now: string): Wanted[] {
  const { key, name, description, insights, annotations } = dashboard;
  return [
    { kind: 'dashboard', key, name, managed: { description }, initial: { name } },
    ...insights.map(
      (insight): Wanted => ({
        kind: 'insight',
        key: insight.key,
        name: insight.name,
        managed: { description: insight.description, query: insight.query },
        initial: { name: insight.name },
      }),
    ),
    ...annotations.map(
      ({ key, content, date }): Wanted => ({
        kind: 'annotation',
        key,
        name: content,
        managed: { content },
        initial: { date_marker: date ?? now, scope: 'project', creation_type: 'GIT' },
      }),
    ),
  ];
}

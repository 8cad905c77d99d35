/** The growth team's dashboard. docs/growth.md says how to read it. */
import { clicksAsInTheLog, clicksPerDay } from './clicks.ts';
import type { Dashboard } from './dashboard.ts';
import { funnelByRef, funnelByUtmSource } from './funnels.ts';
import { devices, sectionReach, visitsBySource } from './visits.ts';
import { webVitals, webVitalsPerWeek } from './web-vitals.ts';

export const GROWTH: Dashboard = {
  key: 'growth',
  name: 'Growth',
  description:
    'From the first page view to the registration. Made by `npm run posthog:provision`; rename and move tiles as you like.',
  insights: [
    funnelByRef,
    funnelByUtmSource,
    clicksPerDay,
    visitsBySource,
    sectionReach,
    devices,
    webVitals,
    clicksAsInTheLog,
    webVitalsPerWeek,
  ],
  annotations: [
    {
      key: 'set-up',
      content: 'The growth dashboard was set up. Earlier figures may be incomplete.',
      date: null,
    },
  ],
};

import { onCLS, onINP, onLCP } from 'web-vitals';
import type { TrackingPlan } from '#contract/events.ts';

type Vital = TrackingPlan['web_vital'];

/** Reports each web vital when it is final, which is usually when the page is hidden. */
export function watchWebVitals(report: (vital: Vital) => void): void {
  const pass = ({ name, value, rating }: Vital) => report({ name, value, rating });
  onLCP((metric) => pass(metric as Vital));
  onINP((metric) => pass(metric as Vital));
  onCLS((metric) => pass(metric as Vital));
}

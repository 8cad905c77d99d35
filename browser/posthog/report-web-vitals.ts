/** Measures the page with web-vitals. Only this module imports that library. */
import { type Metric, onCLS, onFCP, onINP, onLCP } from 'web-vitals';
import type { TrackingPlan } from '#contract/events.ts';

type WebVitals = TrackingPlan['$web_vitals'];

interface Dependencies {
  /** Calls back once, when the visitor leaves the page. */
  whenLeft: (act: () => void) => void;
  report: (values: WebVitals) => void;
}

/**
 * Reports the Core Web Vitals in one event when the visitor leaves the page for the first time: the
 * slowest interaction and all layout shifts until then. If the visitor returns, later values are
 * not reported, so that each page load has one event.
 *
 * Its dependencies are arguments, because this module is imported late. If it imported a module of
 * the page's first script, the build would move that module into a chunk of its own, for which
 * every page would wait one more round trip.
 */
export function reportWebVitals({ whenLeft, report }: Dependencies): void {
  const values: WebVitals = {
    $web_vitals_LCP_value: null,
    $web_vitals_FCP_value: null,
    $web_vitals_INP_value: null,
    $web_vitals_CLS_value: null,
  };
  const note = ({ name, value }: Metric) =>
    Object.assign(values, { [`$web_vitals_${name}_value`]: value });
  for (const watch of [onLCP, onFCP, onINP, onCLS]) watch(note, { reportAllChanges: true });
  // Registered after the listeners of web-vitals, which complete the values on the same event.
  whenLeft(() => report({ ...values }));
}

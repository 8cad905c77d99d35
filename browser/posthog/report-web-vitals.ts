/** The only import of web-vitals. */
import { type Metric, onCLS, onFCP, onINP, onLCP } from 'web-vitals';
import type { TrackingPlan } from '#contract/events.ts';

type WebVitals = TrackingPlan['$web_vitals'];

interface Parts {
  /** Calls back when the visitor leaves the page. */
  whenLeft: (act: () => void) => void;
  report: (values: WebVitals) => void;
}

/**
 * Reports what is known of the web vitals when the visitor leaves the page, in one event: the worst
 * press and all movement until then. A visitor may return to the page. Presses and movement after
 * that are left out, so that each page load is one event.
 *
 * Its parts are arguments, because this file is loaded late: a module that it shared with the
 * page's first script would be a file of its own, which every page would load in a second round.
 */
export function reportWebVitals({ whenLeft, report }: Parts): void {
  const values: WebVitals = {
    $web_vitals_LCP_value: null,
    $web_vitals_FCP_value: null,
    $web_vitals_INP_value: null,
    $web_vitals_CLS_value: null,
  };
  const note = ({ name, value }: Metric) =>
    Object.assign(values, { [`$web_vitals_${name}_value`]: value });
  for (const watch of [onLCP, onFCP, onINP, onCLS]) watch(note, { reportAllChanges: true });
  // After web-vitals, which completes its values when the page is hidden.
  whenLeft(() => report({ ...values }));
}

/**
 * The tracking plan: every PostHog event and its properties. Names are public: add, never rename.
 * Every event has `referrer` (the page's `ref`), so that a funnel can be broken down at each step.
 */
import type { CtaLabel } from './cta.ts';

export type Referrer = string | null;

export interface TrackingPlan {
  /** Once, when the page is visible; not while the browser prerenders it. */
  $pageview: { referrer: Referrer; visit_id: string };
  /** A section was half in view for a second; once per section. */
  section_viewed: { referrer: Referrer; section: string };
  cta_click: {
    category: 'CTA';
    label: CtaLabel;
    value: 1;
    referrer: Referrer;
    /** The id of the click's line in the log, and the event's own uuid. */
    event_id: string;
  };
  video_played: { referrer: Referrer };
  /** No form contents, ever. */
  registration_submitted: { referrer: Referrer };
  registration_succeeded: { referrer: Referrer };
  registration_failed: { referrer: Referrer };
  web_vital: {
    referrer: Referrer;
    name: 'LCP' | 'INP' | 'CLS';
    value: number;
    rating: 'good' | 'needs-improvement' | 'poor';
  };
}

export type TrackingEvent = keyof TrackingPlan;

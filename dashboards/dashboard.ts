/** The parts of a dashboard that is kept as code. `cli/provision.ts` makes them at PostHog. */
import type { InsightQuery } from './query.schema.ts';

/** A tile's place on the grid, which is twelve columns wide. PostHog gets it once: later the team may move the tile. */
export interface Place {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** A chart or table. `key` is its identity for ever, `[a-z0-9-]`. The name is PostHog's after the first time: rename it there. */
export interface Insight {
  key: string;
  name: string;
  /** The question that it answers. */
  description: string;
  query: InsightQuery;
  place: Place;
}

/** A mark on all charts of the project. */
export interface Annotation {
  key: string;
  content: string;
  /** ISO 8601; null: the time at which it is first made. */
  date: string | null;
}

export interface Dashboard {
  key: string;
  name: string;
  description: string;
  insights: Insight[];
  annotations: Annotation[];
}

import type { Insight } from './answer-dashboards.ts';

/** Facts about the stand-in that hold until a test changes them. */
export interface World {
  /** Cuts every connection. */
  isDown: boolean;
  /** UUIDs of events that V1 never stores, and asks for again. */
  unstorable: Set<string>;
  /** UUIDs of events for which V1 refuses their whole batch. */
  poisonous: Set<string>;
  /** Distinct ids that have a person profile. */
  persons: Set<string>;
  /** The only personal key and project of the management API. */
  personalKey: string;
  projectId: number;
  /** Upper bound for the rows of a query's answer. */
  longestAnswer: number;
  dashboards: { id: number; name: string; description: string }[];
  insights: Insight[];
}

export const newWorld = (): World => ({
  isDown: false,
  unstorable: new Set(),
  poisonous: new Set(),
  persons: new Set(),
  personalKey: 'phx_test',
  projectId: 7,
  longestAnswer: 50_000,
  dashboards: [],
  insights: [],
});

/** Runs one HogQL query at PostHog. */
import { z } from 'zod';
import type { Management } from './management-api.ts';
import { ManagementError } from './management-error.ts';

export interface QueryResult {
  /** Each row in the order of `columns`. PostHog may write a number as a string. */
  rows: unknown[][];
  columns: string[];
  /** PostHog has more rows than these. */
  isCut: boolean;
  /** PostHog gave an older result, though we asked for a new one. */
  isCached: boolean;
}

const bodySchema = z.strictObject({
  query: z.strictObject({ kind: z.literal('HogQLQuery'), query: z.string().min(1) }),
  /** Shown in PostHog's query log. */
  name: z.string().min(1),
  /** Other values may answer from PostHog's cache. */
  refresh: z.literal('force_blocking'),
});

const answerSchema = z.object({
  results: z.array(z.array(z.unknown())),
  columns: z.array(z.string()).nullish(),
  hasMore: z.boolean().nullish(),
  is_cached: z.boolean().nullish(),
  error: z.string().nullish(),
});

/** Needs the scope `query:read`. @param name for PostHog's query log @throws ManagementError, also if the query is wrong */
export async function runQuery(api: Management, name: string, hogql: string): Promise<QueryResult> {
  const body = bodySchema.parse({
    query: { kind: 'HogQLQuery', query: hogql },
    name,
    refresh: 'force_blocking',
  });
  const answer = await api.ask('query/', body, answerSchema);
  if (answer.error) throw new ManagementError(`PostHog cannot run "${name}": ${answer.error}`);
  return {
    rows: answer.results,
    columns: answer.columns ?? [],
    isCut: answer.hasMore === true,
    isCached: answer.is_cached === true,
  };
}

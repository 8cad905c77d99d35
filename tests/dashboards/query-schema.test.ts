import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { GROWTH } from '../../dashboards/growth.ts';
import { insightQuerySchema } from '../../dashboards/query.schema.ts';
import { runQuery } from '../../server/posthog/management/run-query.ts';
import { reportSkipped } from '../helpers/run/report-skipped.ts';

/** PostHog's own schema of query nodes, which is not part of this repository. */
const FOLDER = '../shared/posthog';
const SCHEMA = join(FOLDER, 'query-nodes.schema.json');

const queries = GROWTH.insights.map(({ key, query }) => ({ key, query }));
const accepts = (query: unknown) => insightQuerySchema.safeParse(query).success;

describe('our own schema', () => {
  test.each(queries)('accepts $key, and refuses it with any one key misspelt', ({ query }) => {
    expect(accepts(query)).toBe(true);
    const misspelt = [...withOneKeyRenamed(query)];
    expect(misspelt.length).toBeGreaterThan(5);
    expect(misspelt.filter(accepts)).toEqual([]);
  });
});

describe("PostHog's schema", () => {
  if (!existsSync(SCHEMA)) {
    test('is not here', () => {
      const reason = `${SCHEMA} is missing`;
      reportSkipped("the comparison with PostHog's schema", reason, { failsOnCi: false });
    });
    return;
  }
  const posthogAccepts = compile('InsightQuery');

  test('accepts what the server and the commands ask the query endpoint', async () => {
    const asked: unknown[] = [];
    const ask = async (_path: string, body: { query: unknown }) => {
      asked.push(body.query);
      return { results: [] };
    };
    await runQuery({ ask } as never, 'a name', 'select 1');
    const endpointAccepts = compile('QueryEndpointQuery');
    expect(asked.map(endpointAccepts)).toEqual([true]);
    expect([...withOneKeyRenamed(asked[0])].filter(endpointAccepts)).toEqual([]);
  });

  test.each(queries)('accepts $key, and refuses it with any one key misspelt', ({ query }) => {
    expect(posthogAccepts(query)).toBe(true);
    expect([...withOneKeyRenamed(query)].filter(posthogAccepts)).toEqual([]);
  });

  test('agrees with ours on which examples are wrong', () => {
    for (const name of ['funnel.bad', 'trend.bad', 'sql.bad']) {
      const example = JSON.parse(readFileSync(join(FOLDER, `examples/${name}.json`), 'utf8'));
      expect({ name, ours: accepts(example), posthogs: posthogAccepts(example) }).toEqual({
        name,
        ours: false,
        posthogs: false,
      });
    }
  });

  function compile(definition: string) {
    const ajv = new Ajv({ strict: true });
    ajv.addSchema(JSON.parse(readFileSync(SCHEMA, 'utf8')), 'posthog');
    const validate = ajv.compile({ $ref: `posthog#/definitions/${definition}` });
    return (query: unknown): boolean => validate(query);
  }
});

/** Copies of the query, each with another one of its keys renamed. */
function* withOneKeyRenamed(query: unknown): Generator<unknown> {
  const count = keysIn(query);
  for (let i = 0; i < count; i += 1) {
    let at = -1;
    yield JSON.parse(JSON.stringify(query), (_key, value) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
      return Object.fromEntries(
        Object.entries(value).map(([key, part]) => {
          at += 1;
          return [at === i ? `${key}_` : key, part];
        }),
      );
    });
  }
}

function keysIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const parts = Object.values(value);
  const own = Array.isArray(value) ? 0 : parts.length;
  return own + parts.reduce((sum, part) => sum + keysIn(part), 0);
}

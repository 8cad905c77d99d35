/** Writes the schemas of log lines (contract/) as JSON Schema, and as a page with the names in ECS and OpenTelemetry. */
import { z } from 'zod';
import { clickLineSchema, ledgerLineSchema, tombstoneSchema } from '#contract/click-line.schema.ts';
import { logLineSchema } from '#contract/log-line.schema.ts';

/** @returns the content of each file, by its path */
export function logLineFiles(): Map<string, string> {
  return new Map([
    ['docs/click-line.schema.json', asJson(ledgerLineSchema, 'A line of clicks.jsonl')],
    ['docs/log-line.schema.json', asJson(logLineSchema, 'A line of the server’s own log')],
    ['docs/log-lines.md', page()],
  ]);
}

const asJson = (schema: z.ZodType, title: string): string =>
  `${JSON.stringify({ title, ...z.toJSONSchema(schema) }, null, 2)}\n`;

function page(): string {
  return [
    HEAD,
    '## A line of the ledger',
    table(clickLineSchema),
    '## The line of a click that was forgotten',
    table(tombstoneSchema),
    '## A line of the server’s own log',
    table(logLineSchema),
    TAIL,
  ]
    .map((part) => part.trim())
    .join('\n\n')
    .concat('\n');
}

function table({ shape }: z.ZodObject): string {
  const rows = Object.entries(shape).map(([name, schema]) => {
    const { description, ecs, otel } = z.globalRegistry.get(schema) ?? {};
    return `| \`${name}\` | ${description} | \`${ecs}\` | \`${otel}\` |`;
  });
  return ['| field | meaning | ECS | OpenTelemetry |', '|---|---|---|---|', ...rows].join('\n');
}

const HEAD = `
# Log lines

\`npm run docs:log-lines\` makes this page, [click-line.schema.json](click-line.schema.json) and [log-line.schema.json](log-line.schema.json) from \`contract/\`; a test keeps them equal.
Every line that a server writes during the tests is checked against these schemas.

On standard output the server writes its own log and a copy of each ledger line: JSON, one object per line, and text for people in a terminal. Only its own log has \`msg\`.
\`pid\` and \`hostname\` are pino's: they tell several servers and restarts apart in a collected log. A field is absent if it is unknown, unless its meaning mentions null.

The last two columns name each field in the Elastic Common Schema and in OpenTelemetry's log model. Names with \`site.\` are ours.`;

const TAIL = `
## Units that differ

- \`level\`: ECS wants a word. OpenTelemetry's severity is \`level\` × 4 / 10 − 3: 5 debug, 9 info, 13 warning, 17 error, 21 fatal.
- \`time\`: milliseconds. ECS wants ISO 8601, OpenTelemetry nanoseconds.
- \`duration_ms\`: milliseconds. ECS wants nanoseconds, OpenTelemetry seconds.
- \`remote_ip\` may be shortened (\`LOG_IP=truncated\`): then it names a network.`;

/** Reads HogQL with PostHog's own parser. */
import createParser from '@posthog/hogql-parser';

const parser = await createParser();

/** @param text a SELECT, or an expression such as uniq(uuid) @throws PostHog's message if it is not HogQL */
export function parseHogql(text: string): unknown {
  const json = /^\s*select\b/i.test(text)
    ? parser.parseSelect(text, true)
    : parser.parseExpr(text, true);
  const tree = JSON.parse(json);
  if (tree.error) throw new Error(`${tree.type}: ${tree.message} in ${text}`);
  return tree;
}

interface Names {
  events: string[];
  properties: string[];
}

/** @returns the events and properties that a parsed text names, with repetitions */
export function namesIn(tree: unknown): Names {
  const names: Names = { events: [], properties: [] };
  visit(tree, names);
  return names;
}

interface Node {
  node?: string;
  chain?: string[];
  left?: Node;
  right?: Node;
}

function visit(node: unknown, names: Names): void {
  if (typeof node !== 'object' || node === null) return;
  const { node: kind, chain = [], left, right } = node as Node;
  if (kind === 'Field' && chain[0] === 'properties') names.properties.push(chain[1] ?? '');
  if (kind === 'CompareOperation' && isEvent(left)) names.events.push(...constantsIn(right));
  for (const part of Object.values(node)) visit(part, names);
}

const isEvent = (node: Node | undefined) => node?.chain?.join('.') === 'event';

function constantsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const { node: kind, value } = node as { node?: string; value?: unknown };
  if (kind === 'Constant') return [String(value)];
  return Object.values(node).flatMap(constantsIn);
}

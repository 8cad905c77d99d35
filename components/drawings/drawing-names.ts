/** Names of the drawings in components/drawings/files. Each has a file `-light` and one `-dark`. */
const DRAWINGS = [
  'benefits',
  'choice',
  'clinic',
  'closing',
  'connect',
  'door',
  'insight',
  'key',
  'letter',
  'mount',
  'phone',
  'privacy',
  'problem',
  'records',
  'research',
  'stop',
  'study',
  'together',
] as const;
export type DrawingName = (typeof DRAWINGS)[number];

/**
 * Checks the name of a drawing in the Markdown of a help page, for which there are no types.
 *
 * @throws if there is no such drawing
 */
export function asDrawingName(name: string): DrawingName {
  const drawing = DRAWINGS.find((each) => each === name);
  if (!drawing) throw new Error(`components/drawings/drawing-names.ts has no "${name}"`);
  return drawing;
}

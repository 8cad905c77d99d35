/** The drawings of components/drawings/files, each in two files: light and dark. */
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
 * Returns the drawing that a help page names.
 *
 * @throws if there is no such drawing, because Markdown has no types
 */
export function drawingNamed(name: string): DrawingName {
  const drawing = DRAWINGS.find((each) => each === name);
  if (!drawing) throw new Error(`components/drawings/drawing-names.ts has no "${name}"`);
  return drawing;
}

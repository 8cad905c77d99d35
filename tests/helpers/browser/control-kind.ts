/**
 * Names the kind of a control. Controls of one kind have the same classes, below elements of the same names, and so the same
 * style and behaviour. Runs in the page.
 */
export function controlKind(control: Element): string {
  const names: string[] = [];
  for (let at: Element | null = control; at; at = at.parentElement) names.push(at.tagName);
  return `${names.join(' < ')} ${control.className}`;
}

/**
 * Adds a button before an element, in the style of the page's quiet link.
 *
 * @returns the button
 */
export function addButton(before: Element, words: string, onClick: () => void): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = document.querySelector('#send a')?.className ?? '';
  button.textContent = words;
  button.onclick = onClick;
  before.before(button);
  return button;
}

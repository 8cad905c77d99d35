import type { tools } from '#words/en/help/tools.ts';
import { addButton } from './add-button.ts';

/**
 * Adds the buttons that send the page, as far as the browser can. They send the page's address without `ref` and campaign, because
 * these describe the sender's own way here. The browser's own dialog replaces the link to a mail, because it offers mail too, and
 * each stop costs a visitor with a switch time.
 */
export function addSendPage(words: typeof tools): void {
  const mail = document.querySelector('#send a');
  if (!mail) return;
  const result = addStatus(mail.parentElement);
  const url = location.origin + location.pathname;
  const canShare = 'share' in navigator;
  if (canShare) {
    addButton(mail, words.share, () => {
      // Rejects if the visitor closes the browser's dialog.
      navigator.share({ title: words.subject, url }).catch(() => {});
    });
  }
  addButton(mail, words.copy, async () => {
    try {
      await navigator.clipboard.writeText(url);
      result.textContent = words.copied;
    } catch {
      result.textContent = `${words.notCopied} ${url}`;
    }
  });
  if (canShare) mail.remove();
}

/** Adds an empty live region, in which a screen reader says each change. */
function addStatus(after: Element | null): HTMLElement {
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  after?.after(status);
  return status;
}

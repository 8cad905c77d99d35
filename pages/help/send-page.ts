import type { SendPageWords } from '#components/help/tools.tsx';

/**
 * Shows the buttons that send the page (components/help/tools.tsx), as far as the browser can. They send the page's address without
 * `ref` and campaign, because these describe the sender's own way here.
 */
export function showSendPage(place: HTMLElement | null): void {
  const [share, copy] = place?.querySelectorAll('button') ?? [];
  const result = place?.querySelector('[role=status]');
  if (!place || !share || !copy || !result) return;
  const words: SendPageWords = JSON.parse(place.dataset.send ?? '');
  const url = location.origin + location.pathname;
  share.onclick = () => {
    // Rejects if the visitor closes the browser's dialog.
    navigator.share({ title: words.subject, url }).catch(() => {});
  };
  share.hidden = !('share' in navigator);
  copy.onclick = async () => {
    try {
      await navigator.clipboard.writeText(url);
      result.textContent = words.copied;
    } catch {
      result.textContent = `${words.notCopied} ${url}`;
    }
  };
  copy.hidden = false;
}

/**
 * Posts a body in a request that outlives the page: a beacon, or a `fetch` with `keepalive` if
 * `sendBeacon` throws. Privacy settings remove `sendBeacon` from some browsers, and some extensions
 * make it throw.
 *
 * @returns true if the browser accepted the beacon. After false, keep the body and send it again:
 * the page does not learn whether the `fetch` has delivered it
 */
export function sendBeacon(url: string, body: string | Blob): boolean {
  try {
    return navigator.sendBeacon(url, body);
  } catch {
    fetch(url, { method: 'POST', body, keepalive: true }).catch(() => {});
    return false;
  }
}

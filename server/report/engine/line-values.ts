/** Values that the report makes of a line's fields. */

const UTM_ORDER = ['source', 'medium', 'campaign', 'content', 'term'];

/** Names a campaign, such as `source=newsletter medium=email`; empty: none. */
export function nameCampaign(campaign: Record<string, string> | null | undefined): string {
  const values = new Map(
    Object.entries(campaign ?? {}).map(([key, value]) => [key.replace(/^utm_/, ''), value]),
  );
  return UTM_ORDER.flatMap((key) => (values.has(key) ? [`${key}=${values.get(key)}`] : [])).join(
    ' ',
  );
}

/** Time from the click to its sending, from two readings of the browser's clock. 0 if one of them is missing or wrong. */
export function delayOf(timestamp: string, sentAt: string | null | undefined): number {
  const delay = sentAt ? Date.parse(sentAt) - Date.parse(timestamp) : 0;
  return delay > 0 ? delay : 0;
}

/** Whether the browser asks not to be tracked: Global Privacy Control, or the older Do Not Track. */
export function asksForPrivacy(navigator: Navigator & { globalPrivacyControl?: boolean }): boolean {
  return navigator.globalPrivacyControl === true || navigator.doNotTrack === '1';
}

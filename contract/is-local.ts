const LOCAL_HOST = /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Whether a site is on the machine of somebody who tries it. The example's values are right there.
 */
export const isLocal = (siteUrl: string): boolean => LOCAL_HOST.test(new URL(siteUrl).hostname);

const LOCAL_HOST = /^(?:(?:.+\.)?localhost|127\.[\d.]+|\[::1\])$/;

/**
 * Whether a site runs on its reader's own machine, to try it. There the example's settings are
 * fine.
 */
export const isLocal = (siteUrl: string): boolean => LOCAL_HOST.test(new URL(siteUrl).hostname);

/** Runs in the page, before its scripts. Overrides the brands, because posthog-js takes a headless browser for a bot. */
export function hideHeadlessBrand(): void {
  const { userAgentData } = navigator as { userAgentData?: { brands: { brand: string }[] } };
  if (!userAgentData) return;
  const brands = userAgentData.brands.filter(({ brand }) => !brand.startsWith('Headless'));
  Object.defineProperty(Object.getPrototypeOf(userAgentData), 'brands', { get: () => brands });
}

/**
 * What was typed survives a reload of the same tab, so that nobody has to type it twice. It goes with the tab, and as
 * soon as the form is sent.
 */
import { REGISTER_DEFAULTS, type RegisterFields } from '#contract/register.schema.ts';

const KEY = 'register-draft';

export function loadDraft(): RegisterFields {
  try {
    return { ...REGISTER_DEFAULTS, ...JSON.parse(sessionStorage.getItem(KEY) ?? '{}') };
  } catch {
    return REGISTER_DEFAULTS; // Storage is refused, or holds something else.
  }
}

export function saveDraft(fields: Partial<RegisterFields>): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(fields));
  } catch {
    // Storage is refused: the form works without.
  }
}

export function clearDraft(): void {
  try {
    sessionStorage.removeItem(KEY);
  } catch {
    // Storage is refused: there was no draft either.
  }
}

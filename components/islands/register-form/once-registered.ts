/**
 * Classes for elements that the success screen replaces, inside a `group`. They are in the form's folder, because a
 * page without the form does not get their rules (renderer/page.css).
 */
export const HIDDEN_ONCE_REGISTERED = 'group-has-[[data-registered]]:hidden';
/** For headings, because screen readers and links still need them. */
export const UNSEEN_ONCE_REGISTERED = 'group-has-[[data-registered]]:sr-only';

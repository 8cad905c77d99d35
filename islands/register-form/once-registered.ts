/**
 * Classes for what gives way to the success screen, inside of a `group`. They are here, with the form, because a page
 * without the form does not get their rules (renderer/site-with-form.css).
 */
export const HIDDEN_ONCE_REGISTERED = 'group-has-[[data-registered]]:hidden';
/** For headings: people who hear the page still need them, and so do links. */
export const UNSEEN_ONCE_REGISTERED = 'group-has-[[data-registered]]:sr-only';

/** The campaign parameters of a landing URL that the site reads. Every other parameter is left out. Plain data, for the browser. */
export const UTM_NAMES = [
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_content',
  'utm_term',
] as const;

/** A value of another form is left out, because it could be an address or a sentence about a person. */
export const UTM_VALUE = /^[\w.~-]{1,64}$/;

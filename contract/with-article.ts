/**
 * Puts an article before the product's name, for use in a sentence: "the SMA Data Drive". A name that brings its own
 * article stays as it is: "The Long Road", and never "the The Long Road".
 */
export function withArticle(name: string, article: 'the' | 'The' = 'the'): string {
  return /^the\s/i.test(name) ? name : `${article} ${name}`;
}

/**
 * Puts an article before the product's name, for use in a sentence: "the SMA Data Drive". A name with an article of its own
 * stays unchanged: "The Long Road", never "the The Long Road".
 */
export function withArticle(name: string, article: 'the' | 'The' = 'the'): string {
  return /^the\s/i.test(name) ? name : `${article} ${name}`;
}

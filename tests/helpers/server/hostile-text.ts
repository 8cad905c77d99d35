/** A text that, unescaped, would become an element, end an attribute, and reverse the text. */
export const HOSTILE = `<q title="'&\u202e">`;

/** HOSTILE escaped as text to read: U+FFFD replaces the mark of text direction. */
export const SHOWN = '&lt;q title=&quot;&#39;&amp;\ufffd&quot;&gt;';

/** HOSTILE escaped as the value of a form field, which keeps the mark of text direction. */
export const KEPT = SHOWN.replace('\ufffd', '\u202e');

/** Matches a page in which HOSTILE has become an element. */
export const BROKEN = /<q[ >]/;

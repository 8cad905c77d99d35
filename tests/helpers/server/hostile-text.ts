/** A text that would become an element, end an attribute, and turn a line round. */
export const HOSTILE = `<q title="'&\u202e">`;

/** HTML that shows it, with a sign in place of the mark of direction. */
export const SHOWN = '&lt;q title=&quot;&#39;&amp;\ufffd&quot;&gt;';

/** HTML that keeps it as it is: the value of a field. */
export const KEPT = SHOWN.replace('\ufffd', '\u202e');

/** Matches a page in which it has become an element. */
export const BROKEN = /<q[ >]/;

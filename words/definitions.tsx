import { Fragment, type ReactNode } from 'react';

export interface Definition {
  term: string;
  /** As code, after the term. */
  name?: string | null;
  text: ReactNode;
}

/** A list of terms, each with its description. */
export const definitions = (entries: Definition[]): ReactNode => (
  <dl>
    {entries.map(({ term, name, text }) => (
      <Fragment key={term}>
        <dt>
          {term} {name && <code>{name}</code>}
        </dt>
        <dd>{text}</dd>
      </Fragment>
    ))}
  </dl>
);

export const paragraphs = (texts: (string | null)[]): ReactNode =>
  texts.filter((text) => text !== null).map((text) => <p key={text}>{text}</p>);

/** A list of the texts that are not null. */
export const bullets = (texts: (string | null)[]): ReactNode => (
  <ul>
    {texts
      .filter((text) => text !== null)
      .map((text) => (
        <li key={text}>{text}</li>
      ))}
  </ul>
);

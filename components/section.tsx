import type { ReactNode } from 'react';
import { Lined } from './signal-line.tsx';

interface Props {
  /** The anchor. It stands on the heading, so that a link to it moves the reading place and not only the view. */
  id: string;
  title: string;
  /** What the section says in one breath; it stands with the heading. */
  intro?: string;
  className?: string;
  children: ReactNode;
}

export function Section({ id, title, intro, className = '', children }: Props) {
  return (
    <section aria-labelledby={id} className={`band ${className}`.trim()}>
      <div className="wrap rail">
        <Lined className="head">
          <h2 id={id} tabIndex={-1} data-reveal="">
            {title}
          </h2>
          {intro && (
            <p className="lede" data-reveal="">
              {intro}
            </p>
          )}
        </Lined>
        {children}
      </div>
    </section>
  );
}

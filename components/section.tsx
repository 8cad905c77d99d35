import type { ReactNode } from 'react';

interface Props {
  /** The anchor. It stands on the heading, so that a link to it moves the reading place and not only the view. */
  id: string;
  title: string;
  className?: string;
  children: ReactNode;
}

export function Section({ id, title, className = '', children }: Props) {
  return (
    <section aria-labelledby={id} className={`band ${className}`.trim()}>
      <div className="wrap rail">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        {children}
      </div>
    </section>
  );
}

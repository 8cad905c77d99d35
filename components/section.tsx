import type { ReactNode } from 'react';
import type { DrawingName } from './drawings/drawing-names.ts';
import { Illustration } from './illustration.tsx';
import { Lined, SignalLine } from './signal-line.tsx';

/** Anchors of the landing page's sections. The footer links some of them. */
export type SectionId = 'about' | 'how-it-works' | 'benefits' | 'privacy' | 'impact' | 'register';

interface Props {
  /** The heading's anchor. A link to it moves the reading place and not only the view. */
  id: SectionId;
  title: string;
  /**
   * Makes the section a landmark with its title as the name. Only for a place that visitors look
   * for: screen readers speak the name when they enter and leave a landmark, besides the heading.
   */
  isLandmark?: boolean;
  /** Another ground than paper; base.css has its colours. */
  ground?: 'band' | 'call';
  className?: string;
  children: ReactNode;
}

interface WithLine extends Props {
  /** One sentence that sums up the section, shown with the heading. */
  intro?: string;
  /** The path of the line next to the heading. */
  line?: string;
  headClassName?: string;
  /** The columns of the section in wide windows. */
  columns?: string;
}

/** The line runs down on the left of everything. */
export function Section(props: WithLine) {
  const {
    intro,
    line = '[--up:var(--pad)]',
    headClassName,
    columns = '',
    children,
    ...band
  } = props;
  return (
    <Band {...band} inside={`pl-rail ${columns}`.trim()}>
      <Lined line={line} {...(headClassName && { className: headClassName })}>
        <Title {...band} />
        {intro && (
          <p className="mt-4 text-lede text-balance lg:max-w-lede" data-reveal="">
            {intro}
          </p>
        )}
      </Lined>
      {children}
    </Band>
  );
}

/** In wide windows the line runs between the heading with its drawing, and the rest. */
export function AxisSection({
  illustration,
  children,
  ...band
}: Props & { illustration: DrawingName }) {
  return (
    <Band
      {...band}
      inside="pl-rail lg:grid lg:grid-cols-[38%_1fr] lg:grid-rows-[auto_1fr] lg:items-start lg:pl-0"
    >
      <SignalLine shape="run" className="[--down:var(--pad)] [--up:var(--pad)] lg:left-axis" />
      <div className="pb-6 lg:pr-8 lg:pb-8">
        <Title {...band} />
      </div>
      <Illustration name={illustration} className="joins" />
      <div className="lg:mt-3 lg:ml-rail lg:[grid-area:1/2/3]">{children}</div>
    </Band>
  );
}

function Band(props: Omit<Props, 'title'> & { inside: string }) {
  return (
    <section
      {...(props.isLandmark && { 'aria-labelledby': props.id })}
      className={`isolate py-pad ${props.className ?? ''}`.trim()}
      data-ground={props.ground}
    >
      <div className={`relative mx-auto w-page ${props.inside}`}>{props.children}</div>
    </section>
  );
}

function Title({ id, title }: Pick<Props, 'id' | 'title'>) {
  return (
    <h2 id={id} tabIndex={-1} data-reveal="" className="lg:max-w-heading">
      {title}
    </h2>
  );
}

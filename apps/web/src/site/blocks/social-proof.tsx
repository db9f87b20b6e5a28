import { Badge } from '../../components/badge.tsx'
import { cardClass } from '../../components/card.tsx'
import { cx } from '../../components/cx.ts'
import { type Background, MarkedText, PageSection, type SectionHeadingContent } from './section.tsx'

export type FiguresContent = SectionHeadingContent & {
  kind: 'figures'
  ground?: Background
  items: { prefix?: string; figure: string; unit?: string; label: string }[]
  note?: string
}

export const KeyFigures = ({ items, note, kind, ...section }: FiguresContent) => (
  <PageSection {...section}>
    <dl className="mt-5 grid grid-cols-2 gap-x-6 gap-y-5 sm:mt-10 sm:gap-y-9 lg:grid-cols-4">
      {items.map(({ prefix, figure, unit, label }) => (
        <div key={`${prefix} ${label}`} className="flex flex-col-reverse justify-end border-line border-l pl-4 sm:pl-5">
          <dt className="mt-1 text-sm leading-snug text-ink-soft text-pretty sm:text-[0.9375rem]">
            <MarkedText text={label} />
          </dt>
          <dd className="tabular text-2xl font-semibold tracking-tight sm:text-4xl">
            {prefix && <span className="text-sm font-normal tracking-normal text-ink-soft sm:block">{prefix} </span>}
            <span className="whitespace-nowrap">
              {figure}
              {unit && <span className="text-xl font-normal text-ink-soft sm:text-2xl"> {unit}</span>}
            </span>
          </dd>
        </div>
      ))}
    </dl>
    {note && (
      <p className="prose-width mt-6 text-[0.8125rem] sm:text-sm text-ink-soft">
        <MarkedText text={note} />
      </p>
    )}
  </PageSection>
)

export type TestimonialsContent = SectionHeadingContent & {
  kind: 'testimonials'
  ground?: Background
  items: { quote: string; who: string; where: string }[]
}

/** What a customer could say: each one says that it is an example. */
export const Testimonials = ({ items, kind, ...section }: TestimonialsContent) => (
  <PageSection {...section}>
    <ul className="mt-5 grid gap-3 sm:mt-10 sm:gap-6 lg:grid-cols-3">
      {items.map(({ quote, who, where }) => (
        <li key={who} className={cx(cardClass, 'p-4 sm:p-6 lg:p-8')}>
          <figure className="flex h-full flex-col">
            <div className="mb-2 sm:mb-5">
              <Badge tone="warning">Exemple</Badge>
            </div>
            <blockquote className="text-[0.9375rem] text-pretty sm:text-lg sm:leading-relaxed">{quote}</blockquote>
            <figcaption className="mt-auto pt-2.5 text-sm sm:pt-4 sm:text-[0.9375rem]">
              <span className="font-medium sm:block">{who}</span>
              <span className="text-ink-soft max-sm:hidden">{where}</span>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  </PageSection>
)

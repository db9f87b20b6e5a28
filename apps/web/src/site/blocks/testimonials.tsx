import { Badge } from '../../ui/badge.tsx'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { type Background, PageSection, type SectionHeadingContent } from './section.tsx'

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

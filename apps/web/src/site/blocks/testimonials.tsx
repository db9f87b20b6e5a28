import { Badge } from '../../ui/badge.tsx'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { type Ground, type Heading, Section } from './section.tsx'

export type TestimonialsContent = Heading & {
  kind: 'testimonials'
  ground?: Ground
  items: { quote: string; who: string; where: string }[]
}

/** What a customer could say: each one says that it is an example. */
export const Testimonials = ({ items, kind, ...section }: TestimonialsContent) => (
  <Section {...section}>
    <ul className="mt-12 grid gap-6 lg:grid-cols-3">
      {items.map(({ quote, who, where }) => (
        <li key={who} className={cx(cardClass, 'p-6 lg:p-8')}>
          <figure className="flex h-full flex-col">
            <div className="mb-5">
              <Badge tone="warning">Exemple</Badge>
            </div>
            <blockquote className="text-lg leading-relaxed text-pretty">{quote}</blockquote>
            <figcaption className="mt-auto pt-6 text-[0.9375rem]">
              <span className="block font-medium">{who}</span>
              <span className="text-ink-soft">{where}</span>
            </figcaption>
          </figure>
        </li>
      ))}
    </ul>
  </Section>
)

import ChevronDown from 'lucide-react/icons/chevron-down'
import { cx } from '../../ui/cx.ts'
import { useLayout } from './layout.ts'
import { type Background, PageBand, SectionHeading, type SectionHeadingContent } from './section.tsx'
import { MarkedText } from './words.tsx'

export type FaqContent = SectionHeadingContent & {
  kind: 'faq'
  ground?: Background
  items: { question: string; answer: string }[]
}

/** Opens without script. */
export const Faq = ({ items, id, ground, ...heading }: FaqContent) => (
  <PageBand
    id={id}
    ground={ground}
    className={cx('grid gap-x-16 gap-y-7', useLayout() !== 'reference' && 'lg:grid-cols-[1fr_2fr]')}
  >
    <SectionHeading {...heading} />
    <div className="divide-y divide-line border-line border-y">
      {items.map(({ question, answer }) => (
        <details key={question} className="group">
          <summary className="flex min-h-14 list-none items-center justify-between gap-6 py-4 text-lg font-medium [&::-webkit-details-marker]:hidden">
            {question}
            <ChevronDown
              aria-hidden="true"
              className="size-5 text-ink-soft transition-transform duration-150 group-open:rotate-180"
            />
          </summary>
          <p className="prose-width pb-6 leading-relaxed text-ink-soft">
            <MarkedText text={answer} />
          </p>
        </details>
      ))}
    </div>
  </PageBand>
)

import type { ComponentType } from 'react'
import { type Background, PageSection, type SectionHeadingContent } from './section.tsx'
import { MarkedText } from './words.tsx'

export type OffersContent = SectionHeadingContent & {
  ground?: Background
  items: {
    title: string
    text: string
    price: string
    per?: string
    icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  }[]
}

/** What can be added, and for how much. */
export const Offers = ({ items, ...section }: OffersContent) => (
  <PageSection {...section}>
    <ul className="mt-10 divide-y divide-line border-line border-y">
      {items.map(({ title, text, price, per, icon: Icon }) => (
        <li key={title} className="grid items-center gap-x-6 gap-y-2 py-6 sm:grid-cols-[auto_1fr_auto]">
          <Icon aria-hidden="true" className="size-7 text-consumption max-sm:hidden" />
          <div className="prose-width">
            <h3 className="text-lg font-semibold">{title}</h3>
            <p className="mt-1 text-ink-soft text-pretty">
              <MarkedText text={text} />
            </p>
          </div>
          <p className="tabular text-xl font-semibold whitespace-nowrap sm:text-right">
            {price}
            {per && <span className="text-base font-normal text-ink-soft"> {per}</span>}
          </p>
        </li>
      ))}
    </ul>
  </PageSection>
)

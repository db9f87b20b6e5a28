import ArrowDownLeft from 'lucide-react/icons/arrow-down-left'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import type { ComponentType } from 'react'
import { cardClass } from '../../components/card.tsx'
import { cx } from '../../components/cx.ts'
import {
  type Background,
  type LinkAction,
  MarkedText,
  MoreLink,
  PageSection,
  type SectionHeadingContent,
  useLayout,
} from './section.tsx'

type Exchange = {
  name: string
  role: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  receives?: string
  sends?: string
}
export type ShowcaseContent = SectionHeadingContent & {
  kind: 'showcase'
  ground?: Background
  /** Who it is, without what goes to and fro. */
  look?: 'short'
  items: Exchange[]
  more?: LinkAction
}

const ExchangeDirection = ({ icon: Icon, label, text }: { icon: Exchange['icon']; label: string; text: string }) => (
  <div className="py-3">
    <dt className="flex items-center gap-2.5 text-sm text-ink-soft">
      <Icon aria-hidden="true" className="size-4" />
      {label}
    </dt>
    <dd className="mt-0.5 pl-6.5 text-[0.9375rem]">
      <MarkedText text={text} />
    </dd>
  </div>
)

const ExchangeName = ({ name, role, icon: Icon }: Pick<Exchange, 'name' | 'role' | 'icon'>) => (
  <div className="flex items-start gap-2.5 sm:items-center sm:gap-4">
    <span className="flex size-8 shrink-0 items-center justify-center rounded-control bg-[#fff6e3] sm:size-12">
      <Icon aria-hidden="true" className="size-4.5 text-consumption sm:size-6" />
    </span>
    <div>
      <h3 className="text-[0.9375rem] font-semibold leading-snug sm:text-lg">
        <MarkedText text={name} />
      </h3>
      <p className="text-[0.8125rem] leading-snug text-ink-soft sm:text-sm">{role}</p>
    </div>
  </div>
)

const ShortShowcase = ({ items }: { items: Exchange[] }) => (
  <ul className="mt-5 grid grid-cols-2 gap-x-4 gap-y-4 sm:mt-8 sm:gap-x-8 sm:gap-y-7 lg:grid-cols-3">
    {items.map((item) => (
      <li key={item.name}>
        <ExchangeName {...item} />
      </li>
    ))}
  </ul>
)

const FullShowcase = ({ items }: { items: Exchange[] }) => (
  <ul
    className={cx('mt-8 grid gap-4 sm:gap-6 md:grid-cols-2', useLayout() !== 'reference' && 'sm:mt-10 lg:grid-cols-3')}
  >
    {items.map(({ receives, sends, ...who }) => (
      <li key={who.name} className={cx(cardClass, 'p-5 sm:p-6')}>
        <ExchangeName {...who} />
        <dl className="mt-4 divide-y divide-line border-line border-t">
          {receives && <ExchangeDirection icon={ArrowDownLeft} label="Voisol reçoit" text={receives} />}
          {sends && <ExchangeDirection icon={ArrowUpRight} label="Voisol transmet" text={sends} />}
        </dl>
      </li>
    ))}
  </ul>
)

/** With whom data are exchanged, and which way they go. */
export const ExchangeShowcase = ({ kind, look, items, more, ...section }: ShowcaseContent) => (
  <PageSection {...section}>
    {look === 'short' ? <ShortShowcase items={items} /> : <FullShowcase items={items} />}
    {more && (
      <div className="mt-4 sm:mt-8">
        <MoreLink {...more} />
      </div>
    )}
  </PageSection>
)

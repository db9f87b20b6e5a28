import ArrowDownLeft from 'lucide-react/icons/arrow-down-left'
import ArrowUpRight from 'lucide-react/icons/arrow-up-right'
import type { ComponentType } from 'react'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { type LinkAction, More } from './actions.tsx'
import { type Ground, type Heading, Section } from './section.tsx'

type Exchange = {
  name: string
  role: string
  icon: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  receives?: string
  sends?: string
}
export type ShowcaseContent = Heading & { kind: 'showcase'; ground?: Ground; items: Exchange[]; more?: LinkAction }

const Way = ({ icon: Icon, label, text }: { icon: Exchange['icon']; label: string; text: string }) => (
  <div className="py-3">
    <dt className="flex items-center gap-2.5 text-sm text-ink-soft">
      <Icon aria-hidden="true" className="size-4" />
      {label}
    </dt>
    <dd className="mt-0.5 pl-6.5 text-[0.9375rem]">{text}</dd>
  </div>
)

/** With whom data are exchanged, and which way they go. */
export const Showcase = ({ kind, items, more, ...section }: ShowcaseContent) => (
  <Section {...section}>
    <ul className="mt-12 grid gap-6 md:grid-cols-2 lg:grid-cols-3">
      {items.map(({ name, role, icon: Icon, receives, sends }) => (
        <li key={name} className={cx(cardClass, 'p-6')}>
          <div className="flex items-center gap-4">
            <span className="flex size-12 items-center justify-center rounded-control bg-[#fff6e3]">
              <Icon aria-hidden="true" className="size-6 text-consumption" />
            </span>
            <div>
              <h3 className="text-lg font-semibold">{name}</h3>
              <p className="text-sm text-ink-soft">{role}</p>
            </div>
          </div>
          <dl className="mt-4 divide-y divide-line border-line border-t">
            {receives && <Way icon={ArrowDownLeft} label="Voisol reçoit" text={receives} />}
            {sends && <Way icon={ArrowUpRight} label="Voisol transmet" text={sends} />}
          </dl>
        </li>
      ))}
    </ul>
    {more && (
      <div className="mt-8">
        <More {...more} />
      </div>
    )}
  </Section>
)

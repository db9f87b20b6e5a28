import Check from 'lucide-react/icons/check'
import type { ComponentType } from 'react'
import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { type LinkAction, More } from './actions.tsx'
import { type Ground, type Heading, Section } from './section.tsx'

type Feature = {
  title: string
  text: string
  points?: string[]
  icon?: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  illustration?: ComponentType<{ className?: string }>
  more?: LinkAction
}
export type FeaturesContent = Heading & {
  kind: 'features'
  ground?: Ground
  look?: 'cards' | 'plain'
  items: Feature[]
  more?: LinkAction
}

const Points = ({ points }: { points: string[] }) => (
  <ul className="mt-4 grid gap-2 text-[0.9375rem]">
    {points.map((point) => (
      <li key={point} className="flex gap-2.5">
        <Check aria-hidden="true" className="mt-1 size-4 text-success" />
        {point}
      </li>
    ))}
  </ul>
)

function FeatureCard({
  title,
  text,
  points,
  icon: Icon,
  illustration: Illustration,
  more,
  className,
}: Feature & { className: string }) {
  return (
    <li className={cx('flex flex-col', className)}>
      {Illustration && <Illustration className="mb-6 h-48 w-full" />}
      {Icon && <Icon aria-hidden="true" className="mb-5 size-7 text-consumption" />}
      <h3 className="text-xl font-semibold">{title}</h3>
      <p className="mt-2 leading-relaxed text-ink-soft">{text}</p>
      {points && <Points points={points} />}
      {more && (
        <div className="mt-auto pt-5">
          <More {...more} />
        </div>
      )}
    </li>
  )
}

const columns: Record<number, string> = {
  2: 'md:grid-cols-2',
  3: 'md:grid-cols-2 lg:grid-cols-3',
  4: 'md:grid-cols-2',
  6: 'md:grid-cols-2 lg:grid-cols-3',
}

export const Features = ({ items, kind, look = 'cards', more, ...section }: FeaturesContent) => (
  <Section {...section}>
    <ul
      className={cx(
        'mt-12 grid',
        look === 'cards' ? cx('gap-6', columns[items.length]) : 'gap-x-8 gap-y-12 sm:grid-cols-2 lg:grid-cols-4',
      )}
    >
      {items.map((item) => (
        <FeatureCard key={item.title} className={look === 'cards' ? cx(cardClass, 'p-6 lg:p-8') : ''} {...item} />
      ))}
    </ul>
    {more && (
      <div className="mt-8">
        <More {...more} />
      </div>
    )}
  </Section>
)

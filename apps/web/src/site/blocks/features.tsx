import { cardClass } from '../../ui/card.tsx'
import { cx } from '../../ui/cx.ts'
import { type LinkAction, MoreLink } from './actions.tsx'
import { type Feature, FeaturePoints } from './feature.tsx'
import { FeatureRows } from './feature-rows.tsx'
import { useLayout } from './layout.ts'
import { type Background, PageSection, type SectionHeadingContent } from './section.tsx'
import { MarkedText } from './words.tsx'

export type FeaturesContent = SectionHeadingContent & {
  kind: 'features'
  ground?: Background
  look?: 'cards' | 'plain'
  items: Feature[]
  more?: LinkAction
}

/** What a card shows of itself: beside its words where the card is wide or the window a telephone's, above them elsewhere. */
type CardShape = { card: boolean; beside: string; figure: string }
/** What has an icon is a line of a list on a telephone, where a frame around each would be most of what is seen. */
const lightCardClass = 'max-sm:border-0 max-sm:bg-transparent max-sm:py-1.5 max-sm:shadow-none'
/** Three in a row leave one alone at the width of a tablet: there each takes the whole width. */
const wideShape: Omit<CardShape, 'card'> = {
  beside: 'max-lg:grid max-lg:grid-cols-[3.5rem_minmax(0,1fr)] sm:max-lg:grid-cols-[11rem_minmax(0,1fr)]',
  figure: 'max-lg:mb-0 max-lg:h-auto',
}
const narrowShape: Omit<CardShape, 'card'> = {
  beside: 'max-sm:grid max-sm:grid-cols-[3.5rem_minmax(0,1fr)]',
  figure: 'max-sm:mb-0 max-sm:h-auto',
}

function FeatureCard({
  title,
  text,
  points,
  icon: Icon,
  illustration: Illustration,
  more,
  shape,
}: Feature & { shape: CardShape }) {
  return (
    <li
      className={cx(
        'flex flex-col',
        Illustration && cx('items-start gap-x-4 sm:gap-x-6', shape.beside),
        Icon && shape.card && 'max-sm:grid max-sm:grid-cols-[1.5rem_minmax(0,1fr)] max-sm:gap-x-3.5',
        shape.card && cx(cardClass, Icon ? lightCardClass : 'p-4', 'sm:p-6 lg:p-8'),
        !shape.card && 'border-line-strong border-t pt-3.5 sm:pt-5',
      )}
    >
      {Illustration && <Illustration className={cx('mb-6 h-48 w-full', shape.figure)} />}
      {Icon && <Icon aria-hidden="true" className="size-6 text-consumption mb-2 sm:mb-5 sm:size-7" />}
      <div className="flex flex-1 flex-col">
        <h3 className="text-lg font-semibold sm:text-xl">
          <MarkedText text={title} />
        </h3>
        <p className="mt-1 text-ink-soft max-sm:text-[0.9375rem] max-sm:leading-snug sm:mt-1.5 sm:leading-relaxed">
          <MarkedText text={text} />
        </p>
        {points && <FeaturePoints points={points} />}
        {more && (
          <div className="mt-auto pt-1 sm:pt-5">
            <MoreLink {...more} />
          </div>
        )}
      </div>
    </li>
  )
}

const columnClasses: Record<number, string> = {
  2: 'md:grid-cols-2',
  3: 'lg:grid-cols-3',
  4: 'md:grid-cols-2',
  6: 'md:grid-cols-2 lg:grid-cols-3',
}

/** Cards in a story, columns under a line in a tour, rows in a reference. */
export function Features({ items, kind, look, more, ...section }: FeaturesContent) {
  const layout = useLayout()
  const plain = (look ?? (layout === 'tour' ? 'plain' : 'cards')) === 'plain'
  const grid = plain && items.length === 4 ? 'grid-cols-2 lg:grid-cols-4' : columnClasses[items.length]
  const shape = { card: !plain, ...(items.length === 3 ? wideShape : narrowShape) }
  return (
    <PageSection {...section}>
      {layout === 'reference' ? (
        <FeatureRows items={items} />
      ) : (
        <ul
          className={cx('mt-5 grid sm:mt-10', plain ? 'gap-x-5 gap-y-5 sm:gap-x-8 sm:gap-y-8' : 'gap-3 sm:gap-6', grid)}
        >
          {items.map((item) => (
            <FeatureCard key={item.title} shape={shape} {...item} />
          ))}
        </ul>
      )}
      {more && (
        <div className="mt-4 sm:mt-8">
          <MoreLink {...more} />
        </div>
      )}
    </PageSection>
  )
}

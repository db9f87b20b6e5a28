import Check from 'lucide-react/icons/check'
import type { ComponentType, ReactNode } from 'react'
import { cardClass } from '../components/card.tsx'
import { cx } from '../components/cx.ts'
import { Hero, type HeroContent } from './blocks/hero.tsx'
import {
  AnchorLinks,
  type AnchorsContent,
  CallToActionBlock,
  type CallToActionContent,
  Faq,
  type FaqContent,
  PageContents,
  StepsBlock,
  type StepsContent,
  StoryBlock,
  type StoryContent,
} from './blocks/page-sections.tsx'
import {
  type Background,
  LayoutProvider,
  type LinkAction,
  MarkedText,
  MoreLink,
  PageSection,
  type SectionHeadingContent,
  useLayout,
} from './blocks/section.tsx'
import { ExchangeShowcase, type ShowcaseContent } from './blocks/showcase.tsx'
import { type FiguresContent, KeyFigures, Testimonials, type TestimonialsContent } from './blocks/social-proof.tsx'
import { ComparisonTable, type TableContent } from './blocks/table.tsx'
import { type PathWithLayout, pageLayouts } from './layouts.ts'

/** A block that only some pages have: it comes with its page, not with every page. */
type CustomBlock = BlockHeading & { kind: 'own'; content: BlockHeading; draw: () => ReactNode }
type BlockHeading = {
  id?: string | undefined
  eyebrow?: string | undefined
  title: string
  ground?: Background | undefined
}
export function createCustomBlock<Content extends BlockHeading>(
  Draw: ComponentType<Content>,
  content: Content,
): CustomBlock {
  const { id, eyebrow, title, ground } = content
  return { kind: 'own', id, eyebrow, title, ground, content, draw: () => <Draw {...content} /> }
}

export type PageBlock =
  | AnchorsContent
  | CallToActionContent
  | FaqContent
  | FeaturesContent
  | FiguresContent
  | HeroContent
  | CustomBlock
  | ShowcaseContent
  | StepsContent
  | StoryContent
  | TableContent
  | TestimonialsContent

function renderBlock(block: PageBlock) {
  switch (block.kind) {
    case 'anchors':
      return <AnchorLinks {...block} />
    case 'call':
      return <CallToActionBlock {...block} />
    case 'faq':
      return <Faq {...block} />
    case 'features':
      return <Features {...block} />
    case 'figures':
      return <KeyFigures {...block} />
    case 'hero':
      return <Hero {...block} />
    case 'own':
      return block.draw()
    case 'showcase':
      return <ExchangeShowcase {...block} />
    case 'steps':
      return <StepsBlock {...block} />
    case 'story':
      return <StoryBlock {...block} />
    case 'table':
      return <ComparisonTable {...block} />
    case 'testimonials':
      return <Testimonials {...block} />
  }
}

const getBlockKey = (block: PageBlock) => ('title' in block ? block.title : block.kind)

const getBlockBackground = (block: PageBlock | undefined) => {
  if (!block || block.kind === 'anchors') return 'edge'
  if (block.kind === 'hero') return 'hero'
  return block.kind === 'call' ? 'white' : (block.ground ?? 'white')
}

/** One band below the other. Two of the same ground read as one: they share the space between them. */
const BlockBands = ({ blocks, plain }: { blocks: readonly PageBlock[]; plain: boolean }) =>
  blocks.map((block, index) => {
    const before = blocks[index - 1]
    const open = before !== undefined && before.kind !== 'hero' && before.kind !== 'anchors'
    const continues = open && (plain || getBlockBackground(block) === getBlockBackground(before))
    return (
      <div key={getBlockKey(block)} className={continues ? '[&>section]:pt-0' : undefined}>
        {renderBlock(block)}
      </div>
    )
  })

/** What is looked up stands in a column, with its contents beside it. */
function ReferenceLayout({ blocks }: { blocks: readonly PageBlock[] }) {
  const parts = blocks.filter((block) => block.kind !== 'hero' && block.kind !== 'anchors')
  const named = parts.filter((block) => block.kind !== 'call')
  return (
    <>
      {blocks.filter(({ kind }) => kind === 'hero').map(renderBlock)}
      <div className="mx-auto grid max-w-[1248px] gap-x-14 px-4 pb-12 sm:px-6 lg:grid-cols-[13.5rem_minmax(0,1fr)] lg:pt-4 lg:pb-20">
        <PageContents
          parts={named.map(({ id, eyebrow, title }) => ({ id: id ?? toAnchor(title), label: eyebrow ?? title }))}
        />
        <div className="[&>div:first-child>section]:border-0">
          {parts.map((block) => (
            <div
              key={getBlockKey(block)}
              id={needsAnchor(block) ? toAnchor(getBlockKey(block)) : undefined}
              className="scroll-mt-20"
            >
              {renderBlock(block)}
            </div>
          ))}
        </div>
      </div>
    </>
  )
}

const needsAnchor = (block: PageBlock) => block.kind !== 'call' && !('id' in block && block.id)
const toAnchor = (title: string) =>
  title
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** A page of the site is a list of blocks, laid out as its row says: this makes the route's component of it. */
export const createContentPage = (path: PathWithLayout, blocks: readonly PageBlock[]) => {
  const layout = pageLayouts[path]
  const ContentPage = () => (
    <LayoutProvider value={layout}>
      {layout === 'reference' ? (
        <ReferenceLayout blocks={blocks} />
      ) : (
        <BlockBands blocks={blocks} plain={layout === 'tour'} />
      )}
    </LayoutProvider>
  )
  return Object.assign(ContentPage, { blocks })
}

type FeaturesContent = SectionHeadingContent & {
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
function Features({ items, kind, look, more, ...section }: FeaturesContent) {
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

/** One under the other, name first: quick to run through. */
const FeatureRows = ({ items }: { items: Feature[] }) => (
  <ul className="mt-6 divide-y divide-line border-line border-y">
    {items.map(({ title, text, points, icon: Icon, more }) => (
      <li key={title} className="grid gap-x-8 gap-y-2 py-6 sm:grid-cols-[14rem_minmax(0,1fr)]">
        <div className="flex items-start gap-3">
          {Icon && <Icon aria-hidden="true" className="mt-0.5 size-6 shrink-0 text-consumption" />}
          <h3 className="text-lg font-semibold leading-snug">
            <MarkedText text={title} />
          </h3>
        </div>
        <div className="prose-width">
          <p className="leading-relaxed text-ink-soft">
            <MarkedText text={text} />
          </p>
          {points && <FeaturePoints points={points} />}
          {more && (
            <div className="mt-3">
              <MoreLink {...more} />
            </div>
          )}
        </div>
      </li>
    ))}
  </ul>
)

type Feature = {
  title: string
  text: string
  points?: string[]
  icon?: ComponentType<{ className?: string; 'aria-hidden'?: 'true' }>
  illustration?: ComponentType<{ className?: string }>
  more?: LinkAction
}
const FeaturePoints = ({ points }: { points: string[] }) => (
  <ul className="mt-4 grid gap-2 text-[0.9375rem]">
    {points.map((point) => (
      <li key={point} className="flex gap-2.5">
        <Check aria-hidden="true" className="mt-1 size-4 shrink-0 text-success" />
        <span>
          <MarkedText text={point} />
        </span>
      </li>
    ))}
  </ul>
)

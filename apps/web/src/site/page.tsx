import type { ComponentType, ReactNode } from 'react'
import { AnchorLinks, type AnchorsContent } from './blocks/anchors.tsx'
import { CallToActionBlock, type CallToActionContent } from './blocks/call.tsx'
import { PageContents } from './blocks/contents.tsx'
import { Faq, type FaqContent } from './blocks/faq.tsx'
import { Features, type FeaturesContent } from './blocks/features.tsx'
import { type FiguresContent, KeyFigures } from './blocks/figures.tsx'
import { Hero, type HeroContent } from './blocks/hero.tsx'
import { LayoutProvider } from './blocks/layout.ts'
import type { Background } from './blocks/section.tsx'
import { ExchangeShowcase, type ShowcaseContent } from './blocks/showcase.tsx'
import { StepsBlock, type StepsContent } from './blocks/steps.tsx'
import { StoryBlock, type StoryContent } from './blocks/story.tsx'
import { ComparisonTable, type TableContent } from './blocks/table.tsx'
import { Testimonials, type TestimonialsContent } from './blocks/testimonials.tsx'
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

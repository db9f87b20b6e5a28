import type { ComponentType, ReactNode } from 'react'
import { Anchors, type AnchorsContent } from './blocks/anchors.tsx'
import { Call, type CallContent } from './blocks/call.tsx'
import { Contents } from './blocks/contents.tsx'
import { Faq, type FaqContent } from './blocks/faq.tsx'
import { Features, type FeaturesContent } from './blocks/features.tsx'
import { Figures, type FiguresContent } from './blocks/figures.tsx'
import { Hero, type HeroContent } from './blocks/hero.tsx'
import { LayoutProvider } from './blocks/layout.ts'
import type { Ground } from './blocks/section.tsx'
import { Showcase, type ShowcaseContent } from './blocks/showcase.tsx'
import { Steps, type StepsContent } from './blocks/steps.tsx'
import { Story, type StoryContent } from './blocks/story.tsx'
import { Table, type TableContent } from './blocks/table.tsx'
import { Testimonials, type TestimonialsContent } from './blocks/testimonials.tsx'
import { type LaidOut, layouts } from './layouts.ts'

/** A block that only some pages have: it comes with its page, not with every page. */
type OwnBlock = Named & { kind: 'own'; content: Named; draw: () => ReactNode }
type Named = { id?: string | undefined; eyebrow?: string | undefined; title: string; ground?: Ground | undefined }
export function own<Content extends Named>(Draw: ComponentType<Content>, content: Content): OwnBlock {
  const { id, eyebrow, title, ground } = content
  return { kind: 'own', id, eyebrow, title, ground, content, draw: () => <Draw {...content} /> }
}

export type Block =
  | AnchorsContent
  | CallContent
  | FaqContent
  | FeaturesContent
  | FiguresContent
  | HeroContent
  | OwnBlock
  | ShowcaseContent
  | StepsContent
  | StoryContent
  | TableContent
  | TestimonialsContent

function draw(block: Block) {
  switch (block.kind) {
    case 'anchors':
      return <Anchors {...block} />
    case 'call':
      return <Call {...block} />
    case 'faq':
      return <Faq {...block} />
    case 'features':
      return <Features {...block} />
    case 'figures':
      return <Figures {...block} />
    case 'hero':
      return <Hero {...block} />
    case 'own':
      return block.draw()
    case 'showcase':
      return <Showcase {...block} />
    case 'steps':
      return <Steps {...block} />
    case 'story':
      return <Story {...block} />
    case 'table':
      return <Table {...block} />
    case 'testimonials':
      return <Testimonials {...block} />
  }
}

const keyOf = (block: Block) => ('title' in block ? block.title : block.kind)

const groundOf = (block: Block | undefined) => {
  if (!block || block.kind === 'anchors') return 'edge'
  if (block.kind === 'hero') return 'hero'
  return block.kind === 'call' ? 'white' : (block.ground ?? 'white')
}

/** One band below the other. Two of the same ground read as one: they share the space between them. */
const Bands = ({ blocks, plain }: { blocks: readonly Block[]; plain: boolean }) =>
  blocks.map((block, index) => {
    const before = blocks[index - 1]
    const open = before !== undefined && before.kind !== 'hero' && before.kind !== 'anchors'
    const continues = open && (plain || groundOf(block) === groundOf(before))
    return (
      <div key={keyOf(block)} className={continues ? '[&>section]:pt-0' : undefined}>
        {draw(block)}
      </div>
    )
  })

/** What is looked up stands in a column, with its contents beside it. */
function Reference({ blocks }: { blocks: readonly Block[] }) {
  const parts = blocks.filter((block) => block.kind !== 'hero' && block.kind !== 'anchors')
  const named = parts.filter((block) => block.kind !== 'call')
  return (
    <>
      {blocks.filter(({ kind }) => kind === 'hero').map(draw)}
      <div className="mx-auto grid max-w-[1248px] gap-x-14 px-4 pb-12 sm:px-6 lg:grid-cols-[13.5rem_minmax(0,1fr)] lg:pt-4 lg:pb-20">
        <Contents
          parts={named.map(({ id, eyebrow, title }) => ({ id: id ?? anchorOf(title), label: eyebrow ?? title }))}
        />
        <div className="[&>div:first-child>section]:border-0">
          {parts.map((block) => (
            <div key={keyOf(block)} id={needsId(block) ? anchorOf(keyOf(block)) : undefined} className="scroll-mt-20">
              {draw(block)}
            </div>
          ))}
        </div>
      </div>
    </>
  )
}

const needsId = (block: Block) => block.kind !== 'call' && !('id' in block && block.id)
const anchorOf = (title: string) =>
  title
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')

/** A page of the site is a list of blocks, laid out as its row says: this makes the route's component of it. */
export const contentPage = (path: LaidOut, blocks: readonly Block[]) => {
  const layout = layouts[path]
  const ContentPage = () => (
    <LayoutProvider value={layout}>
      {layout === 'reference' ? <Reference blocks={blocks} /> : <Bands blocks={blocks} plain={layout === 'tour'} />}
    </LayoutProvider>
  )
  return Object.assign(ContentPage, { blocks })
}

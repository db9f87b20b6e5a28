import type { ComponentType, ReactNode } from 'react'
import { Anchors, type AnchorsContent } from './blocks/anchors.tsx'
import { Call, type CallContent } from './blocks/call.tsx'
import { Faq, type FaqContent } from './blocks/faq.tsx'
import { Features, type FeaturesContent } from './blocks/features.tsx'
import { Figures, type FiguresContent } from './blocks/figures.tsx'
import { Hero, type HeroContent } from './blocks/hero.tsx'
import type { Ground } from './blocks/section.tsx'
import { Showcase, type ShowcaseContent } from './blocks/showcase.tsx'
import { Steps, type StepsContent } from './blocks/steps.tsx'
import { Story, type StoryContent } from './blocks/story.tsx'
import { Table, type TableContent } from './blocks/table.tsx'
import { Testimonials, type TestimonialsContent } from './blocks/testimonials.tsx'

/** A block that only some pages have: it comes with its page, not with every page. */
type OwnBlock = { kind: 'own'; title: string; ground?: Ground | undefined; draw: () => ReactNode }
export function own<Content extends { title: string; ground?: Ground }>(
  Draw: ComponentType<Content>,
  content: Content,
): OwnBlock {
  return { kind: 'own', title: content.title, ground: content.ground, draw: () => <Draw {...content} /> }
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

const groundOf = (block: Block | undefined) => {
  if (!block || block.kind === 'anchors') return 'edge'
  if (block.kind === 'hero') return 'soft'
  return block.kind === 'call' ? 'white' : (block.ground ?? 'white')
}

/** A page of the site is a list of blocks: this makes the route's component of it. */
export const contentPage = (blocks: readonly Block[]) =>
  function ContentPage() {
    return blocks.map((block, index) => {
      // Two bands of the same ground read as one: they share the space between them.
      const continues = groundOf(block) === groundOf(blocks[index - 1])
      return (
        <div key={'title' in block ? block.title : block.kind} className={continues ? '[&>section]:pt-0' : undefined}>
          {draw(block)}
        </div>
      )
    })
  }

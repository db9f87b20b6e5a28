import { Anchors, type AnchorsContent } from './blocks/anchors.tsx'
import { Call, type CallContent } from './blocks/call.tsx'
import { Faq, type FaqContent } from './blocks/faq.tsx'
import { Features, type FeaturesContent } from './blocks/features.tsx'
import { Figures, type FiguresContent } from './blocks/figures.tsx'
import { Hero, type HeroContent } from './blocks/hero.tsx'
import { Shares, type SharesContent } from './blocks/shares.tsx'
import { Steps, type StepsContent } from './blocks/steps.tsx'
import { Story, type StoryContent } from './blocks/story.tsx'
import { Testimonials, type TestimonialsContent } from './blocks/testimonials.tsx'

export type Block =
  | AnchorsContent
  | CallContent
  | FaqContent
  | FeaturesContent
  | FiguresContent
  | HeroContent
  | SharesContent
  | StepsContent
  | StoryContent
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
    case 'shares':
      return <Shares {...block} />
    case 'steps':
      return <Steps {...block} />
    case 'story':
      return <Story {...block} />
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

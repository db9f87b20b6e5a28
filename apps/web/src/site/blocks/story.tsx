import type { ComponentType } from 'react'
import { cx } from '../../ui/cx.ts'
import { type LinkAction, MoreLink } from './actions.tsx'
import { useLayout } from './layout.ts'
import { ProductScreenshot, type Screenshot } from './picture.tsx'
import { type Background, Eyebrow, PageBand, type SectionHeadingContent, SectionTitle } from './section.tsx'
import { MarkedText } from './words.tsx'

export type StoryContent = Omit<SectionHeadingContent, 'lead'> & {
  kind: 'story'
  ground?: Background
  paragraphs: string[]
  points?: { term: string; text: string }[]
  more?: LinkAction
  illustration?: ComponentType<{ className?: string }>
  picture?: Screenshot
  side?: 'left' | 'right'
}

const TermList = ({ points }: { points: NonNullable<StoryContent['points']> }) => (
  <dl className="mt-6 divide-y divide-line border-line border-y">
    {points.map(({ term, text }) => (
      <div key={term} className="grid gap-x-6 gap-y-1 py-3.5 sm:grid-cols-[11rem_minmax(0,1fr)]">
        <dt className="font-medium">
          <MarkedText text={term} />
        </dt>
        <dd className="text-ink-soft">
          <MarkedText text={text} />
        </dd>
      </div>
    ))}
  </dl>
)

type TitleProps = Pick<StoryContent, 'eyebrow' | 'title'>
const StoryTitle = ({ eyebrow, title }: TitleProps) => {
  const reference = useLayout() === 'reference'
  return (
    <div>
      {eyebrow && !reference && <Eyebrow>{eyebrow}</Eyebrow>}
      <SectionTitle>{title}</SectionTitle>
    </div>
  )
}

const Paragraphs = ({ paragraphs }: Pick<StoryContent, 'paragraphs'>) => {
  const large = useLayout() !== 'reference' && 'text-lg'
  return paragraphs.map((paragraph) => (
    <p key={paragraph} className={cx('mt-4 leading-relaxed text-ink-soft text-pretty', large)}>
      <MarkedText text={paragraph} />
    </p>
  ))
}

const StoryFooter = ({ points, more }: Pick<StoryContent, 'points' | 'more'>) => (
  <>
    {points && <TermList points={points} />}
    {more && (
      <div className="mt-5">
        <MoreLink {...more} />
      </div>
    )}
  </>
)

/** The words in two columns, and below them the screen they speak of, as large as the page allows. */
const StoryWithScreenshot = ({ id, ground, eyebrow, title, paragraphs, points, more, picture }: StoryContent) => (
  <PageBand id={id} ground={ground}>
    <div className={cx('grid gap-x-16', useLayout() !== 'reference' && 'lg:grid-cols-[5fr_7fr]')}>
      <StoryTitle eyebrow={eyebrow} title={title} />
      <div className="prose-width lg:-mt-4">
        <Paragraphs paragraphs={paragraphs} />
        <StoryFooter points={points} more={more} />
      </div>
    </div>
    {picture && <ProductScreenshot {...picture} className="mt-8 lg:mt-12" />}
  </PageBand>
)

/** Prose of a comfortable width with, beside it, a drawing or else its terms; below it, a screen of the product. */
export function StoryBlock(content: StoryContent) {
  const reference = useLayout() === 'reference'
  const { id, ground, eyebrow, title, paragraphs, points, more, illustration: Illustration, picture, side } = content
  if (picture) return <StoryWithScreenshot {...content} />
  if (!Illustration || reference)
    return (
      <PageBand id={id} ground={ground} className={cx('grid gap-x-20', !reference && 'lg:grid-cols-[5fr_7fr]')}>
        <div className="prose-width">
          <StoryTitle eyebrow={eyebrow} title={title} />
          <Paragraphs paragraphs={paragraphs} />
        </div>
        <div className={reference ? 'max-w-3xl' : 'lg:-mt-6'}>
          <StoryFooter points={points} more={more} />
        </div>
      </PageBand>
    )
  return (
    <PageBand id={id} ground={ground} className="grid items-center gap-x-20 gap-y-8 lg:grid-cols-2">
      <div className="prose-width">
        <StoryTitle eyebrow={eyebrow} title={title} />
        <Paragraphs paragraphs={paragraphs} />
        <StoryFooter points={points} more={more} />
      </div>
      <Illustration
        className={cx(
          'mx-auto max-h-[240px] w-full max-w-[440px] sm:max-h-[460px]',
          side === 'left' && 'lg:order-first',
        )}
      />
    </PageBand>
  )
}

import type { ComponentType } from 'react'
import { cx } from '../../ui/cx.ts'
import { type LinkAction, More } from './actions.tsx'
import { type Picture, ProductPicture } from './picture.tsx'
import { Band, Eyebrow, type Ground, type Heading } from './section.tsx'

export type StoryContent = Omit<Heading, 'lead'> & {
  kind: 'story'
  ground?: Ground
  paragraphs: string[]
  points?: { term: string; text: string }[]
  more?: LinkAction
  illustration?: ComponentType<{ className?: string }>
  picture?: Picture
  side?: 'left' | 'right'
}

const Points = ({ points }: { points: NonNullable<StoryContent['points']> }) => (
  <dl className="mt-8 divide-y divide-line border-line border-y">
    {points.map(({ term, text }) => (
      <div key={term} className="grid gap-x-6 gap-y-1 py-4 sm:grid-cols-[11rem_1fr]">
        <dt className="font-medium">{term}</dt>
        <dd className="text-ink-soft">{text}</dd>
      </div>
    ))}
  </dl>
)

type Words = Pick<StoryContent, 'eyebrow' | 'title' | 'paragraphs'>
const Prose = ({ eyebrow, title, paragraphs }: Words) => (
  <>
    {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
    <h2 className="text-3xl font-semibold leading-tight sm:text-4xl">{title}</h2>
    {paragraphs.map((paragraph) => (
      <p key={paragraph} className="mt-5 text-lg leading-relaxed text-ink-soft text-pretty">
        {paragraph}
      </p>
    ))}
  </>
)

const Further = ({ points, more }: Pick<StoryContent, 'points' | 'more'>) => (
  <>
    {points && <Points points={points} />}
    {more && (
      <div className="mt-6">
        <More {...more} />
      </div>
    )}
  </>
)

/** Prose of a comfortable width with, beside it, a drawing, a screen of the product, or else its terms. */
export function Story({ id, ground, points, more, illustration: Illustration, picture, side, ...words }: StoryContent) {
  const left = side === 'left'
  if (!Illustration && !picture)
    return (
      <Band id={id} ground={ground} className="grid gap-x-20 lg:grid-cols-[5fr_7fr]">
        <div className="prose-width">
          <Prose {...words} />
        </div>
        <div className="lg:-mt-8">
          <Further points={points} more={more} />
        </div>
      </Band>
    )
  const columns = left ? 'lg:grid-cols-[7fr_5fr]' : 'lg:grid-cols-[5fr_7fr]'
  return (
    <Band
      id={id}
      ground={ground}
      className={cx('grid items-center gap-12', picture ? columns : 'lg:grid-cols-2 lg:gap-20')}
    >
      <div className="prose-width">
        <Prose {...words} />
        <Further points={points} more={more} />
      </div>
      {picture && <ProductPicture {...picture} className={left ? 'lg:order-first' : undefined} />}
      {Illustration && (
        <Illustration className={cx('mx-auto max-h-[460px] w-full max-w-[440px]', left && 'lg:order-first')} />
      )}
    </Band>
  )
}

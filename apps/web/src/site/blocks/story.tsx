import type { ComponentType } from 'react'
import { cx } from '../../ui/cx.ts'
import { type Action, More } from './actions.tsx'
import { Band, Eyebrow, type Ground, type Heading } from './section.tsx'

export type StoryContent = Omit<Heading, 'lead'> & {
  kind: 'story'
  ground?: Ground
  paragraphs: string[]
  points?: { term: string; text: string }[]
  more?: Action
  illustration?: ComponentType<{ className?: string }>
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

/** Prose of a comfortable width, with its terms and, beside it, a drawing. */
export function Story({
  id,
  eyebrow,
  title,
  ground,
  paragraphs,
  points,
  more,
  illustration: Illustration,
  side = 'right',
}: StoryContent) {
  return (
    <Band
      id={id}
      ground={ground}
      className={cx('grid items-center gap-12 lg:gap-20', Illustration && 'lg:grid-cols-2')}
    >
      <div className="prose-width">
        {eyebrow && <Eyebrow>{eyebrow}</Eyebrow>}
        <h2 className="text-3xl font-semibold leading-tight sm:text-4xl">{title}</h2>
        {paragraphs.map((paragraph) => (
          <p key={paragraph} className="mt-5 text-lg leading-relaxed text-ink-soft text-pretty">
            {paragraph}
          </p>
        ))}
        {points && <Points points={points} />}
        {more && (
          <div className="mt-6">
            <More {...more} />
          </div>
        )}
      </div>
      {Illustration && (
        <Illustration
          className={cx('mx-auto max-h-[460px] w-full max-w-[440px]', side === 'left' && 'lg:order-first')}
        />
      )}
    </Band>
  )
}

import type { ReactNode } from 'react'
import { cardClass } from '../card.tsx'
import { cx } from '../cx.ts'
import { Figure } from '../figure.tsx'
import type { SharePart } from './parts.ts'
import { ShareFigures } from './share-bar.tsx'

type HeadlineProps = {
  label: string
  /** From lib/format, with its unit. */
  figure: string
  /** The answer in a sentence. */
  sentence: ReactNode
  parts: SharePart[]
  format?: (value: number) => string
  /** False where the sentence says what each part is: a figure stands once. */
  figures?: boolean
}

/** The one figure a screen is opened for, with what it is made of. */
export const Headline = ({ label, figure, sentence, parts, format, figures }: HeadlineProps) => (
  <section
    className={cx(cardClass, 'grid gap-5 p-5 sm:p-6 lg:grid-cols-[auto_minmax(0,1fr)] lg:items-center lg:gap-10')}
  >
    <div>
      <h2 className="text-body font-medium text-ink-soft">{label}</h2>
      <Figure className="mt-1 block text-5xl leading-none font-semibold tracking-tight">{figure}</Figure>
    </div>
    <div className="grid min-w-0 gap-3">
      <p className="prose-width text-body">{sentence}</p>
      <ShareFigures parts={parts} format={format} figures={figures} />
    </div>
  </section>
)

import { type ReactNode, useId } from 'react'
import { formatPercent } from '../../lib/format.ts'
import { cardClass, Figure } from '../card.tsx'
import { BarPattern } from '../chart/fill.tsx'
import { Swatch } from '../chart/legend.tsx'
import { cx } from '../cx.ts'
import { computeShares, describeParts, formatShareParts, type SharePart } from './energy-parts.ts'

type ShareBarProps = {
  parts: SharePart[]
  format?: (value: number) => string
  className?: string
  /** Length of the bar against a larger whole, 0 to 1. */
  scale?: number
}

const GAP_PERCENT = 0.6

/** Shares side by side in one thin bar; read out as a sentence. */
export function ShareBar({ parts, format, className = 'h-3', scale = 1 }: ShareBarProps) {
  const id = useId()
  const shares = computeShares(parts).filter(({ share }) => share !== null && share > 0)
  let at = 0
  return (
    <svg
      role="img"
      aria-label={describeParts(parts, format)}
      className={cx('block w-full overflow-hidden rounded-full bg-slate-100', className)}
    >
      <defs>
        {shares.map((part, index) => (
          <BarPattern key={part.label} id={`${id}-${index}`} series={part} />
        ))}
      </defs>
      {shares.map(({ label, share }, index) => {
        const from = at
        at += (share ?? 0) * 100 * scale
        const width = Math.max(0.4, at - from - (index < shares.length - 1 ? GAP_PERCENT : 0))
        return <rect key={label} x={`${from}%`} width={`${width}%`} height="100%" fill={`url(#${id}-${index})`} />
      })}
    </svg>
  )
}

/** `shares`: in percents too, where no headline says them already; `figures`: where no sentence does. */
type FiguresProps = Pick<ShareBarProps, 'parts' | 'format'> & { shares?: boolean; figures?: boolean }

/** The bar with its figures under it, for a card. */
export const ShareFigures = ({ parts, format, shares = true, figures = true }: FiguresProps) => (
  <div className="grid gap-2">
    <ShareBar parts={parts} format={format} className="h-4" />
    <ul aria-hidden="true" className="flex flex-wrap justify-between gap-x-6 gap-y-1 text-[0.8125rem]">
      {formatShareParts(parts, format).map(({ share, text, ...part }) => (
        <li key={part.label} className="inline-flex items-center gap-1.5">
          <Swatch kind="stacked" color={part.color} pattern={part.pattern} />
          <span className="text-ink-soft">{part.label}</span>
          {figures && <span className="tabular font-medium">{text}</span>}
          {shares && figures && share !== null && (
            <span className="tabular text-ink-soft">{formatPercent(share, 0)}</span>
          )}
        </li>
      ))}
    </ul>
  </div>
)

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

import type { ReactNode } from 'react'
import { Swatch } from '../chart/legend.tsx'
import { BEFORE_ENTRY_LABEL, formatInstantLabel, formatShares, getMarkLabel } from '../chart/text.ts'
import { type ChartData, QUALITY_MARK } from '../chart/types.ts'
import { Figure } from '../figure.tsx'
import type { CurveMeasure } from './measure.ts'
import type { ExplorerSeries, summarizeIndexRange } from './model.ts'

/** What stands there while no bar is pointed at: the total, or where that is said above, what one bar holds on average. */
export type IdleReadout = 'total' | 'mean'

type ReadoutProps = {
  data: ChartData
  /** In the order of `data.series`. */
  series: ExplorerSeries[]
  measure: CurveMeasure
  step: number
  index: number | null
  /** What is shown, in words, and its facts. */
  label: string
  facts: ReturnType<typeof summarizeIndexRange>
  idle?: IdleReadout
}

const MISSING_LABEL = 'manquant'
type Line = { text: string; share?: string; mark?: string }

/** Under the cursor its values, otherwise the totals or means of what is shown: the same places, so that nothing jumps. */
export function buildReadoutLines({ data, series, measure, step, index, facts, idle = 'total' }: ReadoutProps): Line[] {
  const mean = index === null && idle === 'mean'
  const figures = series.map((one, at) => {
    if (index !== null) return one.values[index] ?? null
    const { sum, known } = facts.sums[at] ?? { sum: 0, known: 0 }
    if (known === 0) return null
    return mean ? sum / known : sum
  })
  // The shares of means are those of the totals, and these are said already.
  const shares = mean ? [] : formatShares(data.series, figures)
  const text = (figure: number) => (index === null && !mean ? measure.total(figure, step) : measure.text(figure))
  const absent = (one: ExplorerSeries | undefined) =>
    index !== null && one?.quality?.[index] === QUALITY_MARK.before ? BEFORE_ENTRY_LABEL : MISSING_LABEL
  return figures.map((figure, at) => ({
    text: figure === null ? absent(series[at]) : text(figure),
    share: shares[at],
    mark: index !== null && figure !== null ? getMarkLabel(series[at]?.quality?.[index]) : undefined,
  }))
}

const ReadoutItem = ({ sample, label, line }: { sample: ReactNode; label: string; line: Line | undefined }) => (
  <div className="min-w-0 sm:max-w-60">
    <dt className="flex items-center gap-1.5 text-[0.8125rem] leading-5 text-ink-soft">
      {sample}
      {label}
    </dt>
    <dd className="tabular mt-0.5 flex flex-wrap items-baseline gap-x-1.5 leading-6">
      {line?.text === MISSING_LABEL || line?.text === BEFORE_ENTRY_LABEL ? (
        <span className="text-body text-ink-soft">{line.text}</span>
      ) : (
        <Figure className="text-lg font-semibold tracking-tight">{line?.text ?? ''}</Figure>
      )}
      {line?.share && <span className="text-[0.8125rem] text-ink-soft">{line.share}</span>}
      {line?.mark && <span className="text-[0.8125rem] text-ink-soft italic">{line.mark}</span>}
    </dd>
  </div>
)

export function Readout(props: ReadoutProps) {
  const { data, series, index, label } = props
  const lines = buildReadoutLines(props)
  const instant = index === null ? undefined : data.times[index]
  return (
    <div className="grid min-w-0 grow basis-80 gap-2">
      <p className="tabular text-[0.8125rem] text-ink-soft first-letter:uppercase">
        {instant === undefined ? label : formatInstantLabel(data, instant)}
      </p>
      <dl className="grid grid-cols-2 gap-x-4 gap-y-2 sm:grid-cols-[repeat(auto-fit,minmax(10rem,1fr))]">
        {series.map((one, at) => {
          const style = data.series[at]
          return (
            <ReadoutItem key={one.key} label={one.label} line={lines[at]} sample={style && <Swatch {...style} />} />
          )
        })}
      </dl>
    </div>
  )
}

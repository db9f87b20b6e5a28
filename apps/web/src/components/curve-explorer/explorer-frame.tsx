import FileDown from 'lucide-react/icons/file-down'
import ImageDown from 'lucide-react/icons/image-down'
import { type ReactNode, useRef } from 'react'
import { formatDateTime } from '../../lib/format.ts'
import { Button } from '../button.tsx'
import { Figure } from '../card.tsx'
import {
  buildChartCsv,
  downloadBlob,
  renderChartImage,
  renderSvgImage,
  saveCsv,
  toFileName,
} from '../chart/chart-export.ts'
import { ChartFrame } from '../chart/chart-frame.tsx'
import { DataTable } from '../chart/chart-toolbar.tsx'
import { Swatch } from '../chart/legend.tsx'
import {
  BEFORE_ENTRY_LABEL,
  type ChartData,
  formatInstantLabel,
  formatShares,
  getMarkLabel,
  QUALITY_MARK,
} from '../chart/series.ts'
import type { CurveMeasure } from './energy-measure.ts'
import type { ExplorerSeries, summarizeIndexRange } from './explorer-model.ts'
import { formatCurveStepCount, type StepName } from './summary.ts'

type ExplorerFrameProps = {
  title: string
  summary: string
  /** What is shown, no more: the table and the files hold the same. */
  shown: ChartData
  knownUntil?: number
  children: ReactNode
}

const DRAWING_SELECTOR = 'svg[data-drawing]'

/** Summary, table and downloads around a curve or bars. */
export function ExplorerFrame({ title, summary, shown, knownUntil, children }: ExplorerFrameProps) {
  const frame = useRef<HTMLDivElement>(null)
  const saveImage = async () => {
    const vectors = frame.current?.querySelector<SVGSVGElement>(DRAWING_SELECTOR)
    const image = vectors
      ? await renderSvgImage(vectors, title, shown)
      : frame.current && (await renderChartImage(frame.current, title, shown))
    if (image) downloadBlob(`${toFileName(title)}.png`, image)
  }
  const until = knownUntil === undefined ? '' : ` Données reçues jusqu’au ${formatDateTime(knownUntil * 60_000)}.`
  return (
    <div ref={frame} className="min-w-0">
      <ChartFrame
        title={title}
        summary={summary + until}
        drawing={<div className="grid gap-3 [&>*]:min-w-0">{children}</div>}
        table={<DataTable key={shown.times[0]} data={shown} label={title} />}
        downloads={
          <>
            <Button variant="secondary" size="small" icon={<ImageDown aria-hidden="true" />} onClick={saveImage}>
              Image (PNG)
            </Button>
            <Button
              variant="secondary"
              size="small"
              icon={<FileDown aria-hidden="true" />}
              onClick={() => saveCsv(title, buildChartCsv(shown))}
            >
              Données (CSV)
            </Button>
          </>
        }
      />
    </div>
  )
}

const Sample = ({ children }: { children: ReactNode }) => (
  <svg aria-hidden="true" width="18" height="12" viewBox="0 0 18 12">
    {children}
  </svg>
)
const DIAMOND_PATH = 'M4 2l4 4-4 4-4-4zM8 6h10'

type MarkLegendProps = { facts: ReturnType<typeof summarizeIndexRange>; nights: boolean; stepName?: StepName }

/** What the marks on the curve mean, where there are any. */
export function MarkLegend({ facts, nights, stepName = 'pas' }: MarkLegendProps) {
  const { before, missing, doubtful, estimated, corrected } = facts
  const items: [boolean, ReactNode, string][] = [
    [
      before > 0,
      <span key="b" aria-hidden="true" className="h-3 w-[18px] rounded-xs border border-line-strong bg-card" />,
      `Avant votre entrée (${formatCurveStepCount(before, stepName)})`,
    ],
    [
      missing > 0,
      <span key="m" aria-hidden="true" className="hatch-missing h-3 w-[18px] rounded-xs border border-line-strong" />,
      `Manquant (${formatCurveStepCount(missing, stepName)})`,
    ],
    [
      doubtful > 0,
      <Sample key="d">
        <path d="M1 9l3-6 3 6 3-6 3 6 3-6" fill="none" stroke="#334155" strokeWidth="1.5" />
      </Sample>,
      `${formatCurveStepCount(doubtful, stepName, 'douteux')} selon le distributeur`,
    ],
    [
      estimated > 0,
      <Sample key="e">
        <path d="M1 6h16" stroke="#334155" strokeWidth="2" strokeDasharray="2 3" />
      </Sample>,
      formatCurveStepCount(estimated, stepName, 'estimé'),
    ],
    [
      corrected > 0,
      <Sample key="c">
        <path d={DIAMOND_PATH} fill="#334155" stroke="#334155" />
      </Sample>,
      formatCurveStepCount(corrected, stepName, 'corrigé'),
    ],
    [nights, <span key="n" aria-hidden="true" className="h-3 w-[18px] rounded-xs bg-consumption/10" />, 'Nuit'],
  ]
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-1 text-[0.8125rem] text-ink-soft">
      {items.map(
        ([shown, sample, words]) =>
          shown && (
            <li key={words} className="inline-flex items-center gap-1.5">
              {sample}
              {words}
            </li>
          ),
      )}
    </ul>
  )
}

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

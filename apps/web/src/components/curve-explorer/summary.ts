import { formatCount, formatPercent } from '../../lib/format.ts'
import type { CurveMeasure } from './energy-measure.ts'
import { type ExplorerSeries, type SeriesRole, summarizeIndexRange } from './explorer-model.ts'

/** « CO₂ » stays as it is written. */
const lowerFirst = (label: string) =>
  /^\p{Lu}\p{Ll}/u.test(label) ? label.slice(0, 1).toLowerCase() + label.slice(1) : label

function findPeak(one: ExplorerSeries, first: number, end: number) {
  let best = -1
  for (let index = first; index < end; index++) if ((one.values[index] ?? -1) > (one.values[best] ?? -1)) best = index
  return best < 0 ? null : { index: best, value: one.values[best] ?? 0 }
}

/** What one value stands for. */
export type StepName = 'pas' | 'jour' | 'mois'
export const formatCurveStepCount = (count: number, name: StepName, state = '') => {
  const one = state ? `${name} ${state}` : name
  return formatCount(
    count,
    one,
    `${name === 'jour' ? 'jours' : name}${state ? ` ${state}${state.endsWith('x') ? '' : 's'}` : ''}`,
  )
}

type RangeFacts = ReturnType<typeof summarizeIndexRange>

function describeQuality(
  { steps, before, missing, partial, doubtful, estimated, corrected }: RangeFacts,
  name: StepName,
) {
  const parts = [
    missing > 0 && `${formatCurveStepCount(missing, name)} sans donnée (${formatPercent(missing / (steps - before))})`,
    partial > 0 && formatCurveStepCount(partial, name, 'incomplet'),
    doubtful > 0 && formatCurveStepCount(doubtful, name, 'douteux'),
    estimated > 0 && formatCurveStepCount(estimated, name, 'estimé'),
    corrected > 0 && formatCurveStepCount(corrected, name, 'corrigé'),
  ].filter(Boolean)
  const noted = parts.length > 0 ? `À noter\u00a0: ${parts.join(', ')}.` : 'Toutes les données sont mesurées.'
  return before > 0
    ? `${formatCurveStepCount(before, name)} avant votre entrée, où rien n’est attendu. ${noted}`
    : noted
}

type SummaryInput = {
  series: ExplorerSeries[]
  measure: CurveMeasure
  step: number
  first: number
  end: number
  label: string
  at: (index: number) => string
  stepName?: StepName
  /** Totals and shares that are said above are not said again. */
  totals?: 'elsewhere'
}

/** What is shown, in two or three sentences: totals, the local share, the peak, what is missing. */
export function buildCurveSummary({
  series,
  measure,
  step,
  first,
  end,
  label,
  at,
  stepName = 'pas',
  totals: omitTotals,
}: SummaryInput) {
  const facts = summarizeIndexRange(series, first, end)
  const own = series.flatMap((one, index) => {
    const { sum, known } = facts.sums[index] ?? { sum: 0, known: 0 }
    return one.compared || known === 0 ? [] : [{ one, sum }]
  })
  if (own.length === 0) return `${label}\u00a0: aucune donnée n’est encore connue.`
  const sumOf = (role: SeriesRole) => own.find(({ one }) => one.role === role)?.sum
  const totals = own.map(({ one, sum }) => `${lowerFirst(one.label)} ${measure.total(sum, step)}`)
  const [direct, grid, surplus] = [sumOf('local'), sumOf('grid'), sumOf('surplus')]
  // With batteries, what comes back from them covers needs too; without the grid, what they store is shared too.
  const local = direct === undefined ? undefined : direct + (sumOf(grid === undefined ? 'stored' : 'restored') ?? 0)
  const pending = sumOf('pending') !== undefined
  const shares = [
    local !== undefined && grid !== undefined && local + grid > 0
      ? `L’énergie locale couvre ${formatPercent(local / (local + grid))} de la consommation${pending ? ' répartie' : ''}.`
      : '',
    local !== undefined && grid === undefined && surplus !== undefined && local + surplus > 0
      ? `${formatPercent(local / (local + surplus))} de la production${pending ? ' répartie' : ''} est partagée.`
      : '',
  ]
  const main = own.find(({ one }) => one.role === 'consumption' || one.role === 'production') ?? own[0]
  const top = main && findPeak(main.one, first, end)
  const high =
    main && top ? `Maximum (${lowerFirst(main.one.label)})\u00a0: ${measure.text(top.value)}, ${at(top.index)}.` : ''
  const whole = omitTotals ? [] : [`${label}\u00a0: ${totals.join(', ')}.`, ...shares]
  return [...whole, high, describeQuality(facts, stepName)].filter(Boolean).join(' ')
}

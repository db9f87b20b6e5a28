import type { EnergySummary, PeriodEnergyTotals } from '@voisol/contract/energy'
import { type FigureSource, REPORT_FIGURES } from '@voisol/contract/report-blocks'
import type { FilledFigure } from '@voisol/contract/report-content'
import { formatFrenchDecimal } from '../../../papers/decimals.ts'
import { formatNumber } from '../../../pdf/figures.ts'
import type { ReportData } from './scene.ts'
import { formatKilograms, formatKwhNumber, UNKNOWN_VALUE } from './words.ts'

type FigureValue = Pick<FilledFigure, 'figure' | 'unit' | 'note'>
const UNKNOWN_FIGURE: FigureValue = { figure: UNKNOWN_VALUE, unit: '', note: 'Non connu sur cette période.' }
const toFigure = (figure: string, unit: string, note = ''): FigureValue => ({ figure, unit, note })
const toEuroFigure = (cents: number | null | undefined, note = ''): FigureValue =>
  cents === null || cents === undefined ? UNKNOWN_FIGURE : toFigure(formatFrenchDecimal(cents, 2), '€', note)

type Measure = 'produced' | 'shared' | 'surplus' | 'consumed' | 'allocated'
/** « +12,3 % sur un an », when the previous year is known. */
function formatChangeSinceLastYear({ current, lastYear }: EnergySummary, measure: Measure): string {
  const before = lastYear?.[measure] ?? 0
  if (before <= 0) return ''
  const change = (current[measure] / before - 1) * 100
  return `${change > 0 ? '+' : ''}${formatNumber(change, 1)}\u00a0% sur un an`
}

async function computeEnergyFigure(
  { energy }: ReportData,
  show: (totals: PeriodEnergyTotals, summary: EnergySummary) => FigureValue,
): Promise<FigureValue> {
  const summary = await energy()
  return summary ? show(summary.current, summary) : UNKNOWN_FIGURE
}
const buildEnergyFigure = (measure: Measure) => (scene: ReportData) =>
  computeEnergyFigure(scene, (totals, summary) =>
    toFigure(formatKwhNumber(totals[measure]), 'kWh', formatChangeSinceLastYear(summary, measure)),
  )
const buildRateFigure = (measure: 'selfConsumption' | 'selfProduction', note: string) => (scene: ReportData) =>
  computeEnergyFigure(scene, ({ [measure]: value }) =>
    value === null ? UNKNOWN_FIGURE : toFigure(formatNumber(value * 100, 1), '%', note),
  )

const FIGURE_BUILDERS: Record<FigureSource, (scene: ReportData) => Promise<FigureValue>> = {
  produced: buildEnergyFigure('produced'),
  shared: buildEnergyFigure('shared'),
  surplus: buildEnergyFigure('surplus'),
  selfConsumption: buildRateFigure('selfConsumption', 'Part de la production consommée sur place'),
  consumed: buildEnergyFigure('consumed'),
  allocated: buildEnergyFigure('allocated'),
  selfProduction: buildRateFigure('selfProduction', 'Part de la consommation couverte par l’énergie locale'),
  co2: (scene) =>
    computeEnergyFigure(scene, ({ co2Grams }, { co2 }) =>
      toFigure(formatKilograms(co2Grams), 'kg', `Facteurs\u00a0: ${co2.source}`),
    ),
  value: (scene) =>
    computeEnergyFigure(scene, ({ valueCents }) => toEuroFigure(valueCents, 'Au prix des opérations, hors taxes')),
  members: async ({ members }) => {
    const people = new Set((await members()).map(({ participantId }) => participantId))
    return toFigure(formatNumber(people.size), '', 'Sur la période')
  },
  billed: async ({ assembly }) => toEuroFigure((await assembly()).totals.billed, 'Avoirs déduits'),
  settled: async ({ assembly }) => toEuroFigure((await assembly()).totals.settled),
  open: async ({ assembly }) => toEuroFigure((await assembly()).totals.open),
  saved: async ({ assembly }) => toEuroFigure((await assembly()).totals.saved, 'Face au prix du fournisseur'),
  earned: async ({ assembly }) => toEuroFigure((await assembly()).earned, 'Ventes TTC, frais déduits'),
  suppliedNet: async ({ annual }) => toEuroFigure((await annual())?.totals.net),
  suppliedGross: async ({ annual }) => toEuroFigure((await annual())?.totals.gross),
  sales: async ({ sold }) => toEuroFigure((await sold())?.total.gross),
  fees: async ({ sold }) => toEuroFigure((await sold())?.total.fees),
  result: async ({ sold }) => {
    const found = await sold()
    return toEuroFigure(found && found.total.gross - found.total.fees)
  },
}

export const fillFigure = async (reportData: ReportData, source: FigureSource): Promise<FilledFigure> => ({
  kind: 'figure',
  source,
  label: REPORT_FIGURES[source].label,
  ...(await FIGURE_BUILDERS[source](reportData)),
})

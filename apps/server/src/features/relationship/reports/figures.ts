import type { Summary, Totals } from '@voisol/contract/energy'
import { FIGURES, type FigureSource } from '@voisol/contract/report-blocks'
import type { FilledFigure } from '@voisol/contract/report-content'
import { frenchDecimal } from '../../../papers/decimals.ts'
import { number } from '../../../pdf/figures.ts'
import type { Scene } from './scene.ts'
import { kilos, kwhFigure, UNKNOWN } from './words.ts'

type Shown = Pick<FilledFigure, 'figure' | 'unit' | 'note'>
const unknown: Shown = { figure: UNKNOWN, unit: '', note: 'Non connu sur cette période.' }
const plain = (figure: string, unit: string, note = ''): Shown => ({ figure, unit, note })
const euros = (cents: number | null | undefined, note = ''): Shown =>
  cents === null || cents === undefined ? unknown : plain(frenchDecimal(cents, 2), '€', note)

type Measure = 'produced' | 'shared' | 'surplus' | 'consumed' | 'allocated'
/** « +12,3 % sur un an », where the year before is known. */
function sinceLastYear({ current, lastYear }: Summary, measure: Measure): string {
  const before = lastYear?.[measure] ?? 0
  if (before <= 0) return ''
  const change = (current[measure] / before - 1) * 100
  return `${change > 0 ? '+' : ''}${number(change, 1)}\u00a0% sur un an`
}

async function ofEnergy({ energy }: Scene, show: (totals: Totals, summary: Summary) => Shown): Promise<Shown> {
  const summary = await energy()
  return summary ? show(summary.current, summary) : unknown
}
const wh = (measure: Measure) => (scene: Scene) =>
  ofEnergy(scene, (totals, summary) => plain(kwhFigure(totals[measure]), 'kWh', sinceLastYear(summary, measure)))
const rate = (measure: 'selfConsumption' | 'selfProduction', note: string) => (scene: Scene) =>
  ofEnergy(scene, ({ [measure]: value }) => (value === null ? unknown : plain(number(value * 100, 1), '%', note)))

const SHOWN: Record<FigureSource, (scene: Scene) => Promise<Shown>> = {
  produced: wh('produced'),
  shared: wh('shared'),
  surplus: wh('surplus'),
  selfConsumption: rate('selfConsumption', 'Part de la production consommée sur place'),
  consumed: wh('consumed'),
  allocated: wh('allocated'),
  selfProduction: rate('selfProduction', 'Part de la consommation couverte par l’énergie locale'),
  co2: (scene) =>
    ofEnergy(scene, ({ co2Grams }, { co2 }) => plain(kilos(co2Grams), 'kg', `Facteurs\u00a0: ${co2.source}`)),
  value: (scene) => ofEnergy(scene, ({ valueCents }) => euros(valueCents, 'Au prix des opérations, hors taxes')),
  members: async ({ members }) => {
    const people = new Set((await members()).map(({ participantId }) => participantId))
    return plain(number(people.size), '', 'Sur la période')
  },
  billed: async ({ assembly }) => euros((await assembly()).totals.billed, 'Avoirs déduits'),
  settled: async ({ assembly }) => euros((await assembly()).totals.settled),
  open: async ({ assembly }) => euros((await assembly()).totals.open),
  saved: async ({ assembly }) => euros((await assembly()).totals.saved, 'Face au prix du fournisseur'),
  earned: async ({ assembly }) => euros((await assembly()).earned, 'Ventes TTC, frais déduits'),
  suppliedNet: async ({ annual }) => euros((await annual())?.totals.net),
  suppliedGross: async ({ annual }) => euros((await annual())?.totals.gross),
  sales: async ({ sold }) => euros((await sold())?.total.gross),
  fees: async ({ sold }) => euros((await sold())?.total.fees),
  result: async ({ sold }) => {
    const found = await sold()
    return euros(found && found.total.gross - found.total.fees)
  },
}

export const fillFigure = async (scene: Scene, source: FigureSource): Promise<FilledFigure> => ({
  kind: 'figure',
  source,
  label: FIGURES[source].label,
  ...(await SHOWN[source](scene)),
})

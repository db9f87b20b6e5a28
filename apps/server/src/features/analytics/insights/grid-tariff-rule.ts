import { allocateEnergy } from '@voisol/energy/allocate'
import {
  compareGridOptions,
  computeGridClasses,
  type GridOptionCost,
  TURPE_7,
} from '@voisol/energy/insights/grid-tariff'
import type { TimeCalendar } from '@voisol/energy/time-classes'
import { type RuleFinding, roundOrNull } from './finding-numbers.ts'
import { sliceAllocationSides, toWattSeries } from './insight-curves.ts'
import type { InsightData } from './insight-data.ts'

const DAYS_PER_YEAR = 365
const MIN_KNOWN_DAYS = 330
const MIN_GAIN_CENTS = 2_000
const MAX_SHOWN_CONSUMERS = 12
/** Above this power other tariffs apply. */
const MAX_KVA = 36

export type GridCost = { id: string; kva: number; days: number; options: GridOptionCost[] }

/** Each consumer up to 36 kVA with a known power, over its own year. */
export function computeGridCosts(scene: InsightData, kvas: Record<string, number>, calendar: TimeCalendar): GridCost[] {
  const sides = sliceAllocationSides(scene, DAYS_PER_YEAR)
  const { allocated } = allocateEnergy(sides)
  const startsAt = scene.startsAt + (scene.steps - sides.steps) * scene.step
  const classes = computeGridClasses({ startsAt, step: scene.step, watts: new Int32Array(sides.steps) }, calendar)
  return sides.consumers.flatMap(({ id, values }, i): GridCost[] => {
    const kva = kvas[id] ?? 0
    if (kva <= 0 || kva > MAX_KVA) return []
    const series = toWattSeries({ startsAt, step: scene.step }, values)
    const received = (allocated[i] ?? new Int32Array()).map((value) => Math.round(Math.max(0, value) / scene.step))
    const options = compareGridOptions(series, received, kva, calendar, TURPE_7, classes)
    const known = values.reduce((sum, value) => sum + (value < 0 ? 0 : scene.step), 0)
    return options ? [{ id, kva, days: Math.floor(known / 1440), options }] : []
  })
}

export const getOptionCents = ({ euros }: GridOptionCost) => Math.round(100 * euros)
const isCollectiveOption = ({ name }: GridOptionCost) => name.includes('collective')
/** Yearly saving in cents of the best collective option over the best other one; negative when it costs more. */
export function computeCollectiveGain({ options }: Pick<GridCost, 'options'>): number {
  const [best, other] = [options.find(isCollectiveOption), options.find((option) => !isCollectiveOption(option))]
  // Subtracts the rounded cents that are shown, so that the result can be checked by hand.
  return best && other ? getOptionCents(other) - getOptionCents(best) : 0
}

export function findGridTariffInsights(
  scene: InsightData,
  operationId: string,
  costs: GridCost[],
  names: Record<string, string>,
): RuleFinding[] {
  const gains = costs
    .filter(({ days }) => days >= MIN_KNOWN_DAYS)
    .map((one) => ({ id: one.id, cents: computeCollectiveGain(one) }))
    .filter(({ cents }) => cents >= MIN_GAIN_CENTS)
    .sort((a, b) => b.cents - a.cents)
  const total = gains.reduce((sum, { cents }) => sum + cents, 0)
  if (!gains.length) return []
  const shown = gains.slice(0, MAX_SHOWN_CONSUMERS)
  return [
    {
      rule: 'grid-tariff',
      subjectKind: 'operation',
      subjectId: operationId,
      startsOn: scene.from,
      endsOn: scene.to,
      wh: null,
      confidence: 0.5,
      numbers: {
        statistic: (gains[0]?.cents ?? 0) / 100,
        threshold: MIN_GAIN_CENTS / 100,
        worth: 'own',
        facts: { count: gains.length, of: costs.length, cents: total, name: names[gains[0]?.id ?? ''] ?? '' },
        evidence: {
          axis: 'name',
          unit: '€ par an',
          labels: shown.map(({ id }) => names[id] ?? id),
          series: [
            {
              name: 'Gain de la formule d’autoproduction collective',
              values: shown.map(({ cents }) => roundOrNull(cents / 100, 2)),
            },
          ],
        },
      },
    },
  ]
}

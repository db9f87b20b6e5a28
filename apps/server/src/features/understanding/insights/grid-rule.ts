import { allocate } from '@voisol/energy/allocate'
import { gridClasses, gridOptions, type OptionCost, TURPE_7 } from '@voisol/energy/insights/grid-tariff'
import type { TimeCalendar } from '@voisol/energy/time-classes'
import { seriesOf } from './hours.ts'
import { orNull, type Raw } from './numbers.ts'
import type { Scene } from './scene.ts'
import { sidesOf } from './sharing.ts'

const YEAR = 365
const ENOUGH_DAYS = 330
const LEAST_CENTS = 2_000
const SHOWN = 12
/** Above, another table of prices holds. */
export const MOST_KVA = 36

export type Costed = { id: string; kva: number; days: number; options: OptionCost[] }

/** Each consumer up to 36 kVA whose power is known, over its own year. */
export function gridCosts(scene: Scene, kvas: Record<string, number>, calendar: TimeCalendar): Costed[] {
  const sides = sidesOf(scene, YEAR)
  const { allocated } = allocate(sides)
  const startsAt = scene.startsAt + (scene.steps - sides.steps) * scene.step
  const classes = gridClasses({ startsAt, step: scene.step, watts: new Int32Array(sides.steps) }, calendar)
  return sides.consumers.flatMap(({ id, values }, i): Costed[] => {
    const kva = kvas[id] ?? 0
    if (kva <= 0 || kva > MOST_KVA) return []
    const series = seriesOf({ startsAt, step: scene.step }, values)
    const received = (allocated[i] ?? new Int32Array()).map((value) => Math.round(Math.max(0, value) / scene.step))
    const options = gridOptions(series, received, kva, calendar, TURPE_7, classes)
    const known = values.reduce((sum, value) => sum + (value < 0 ? 0 : scene.step), 0)
    return options ? [{ id, kva, days: Math.floor(known / 1440), options }] : []
  })
}

export const centsOf = ({ euros }: OptionCost) => Math.round(100 * euros)
export const isCollective = ({ name }: OptionCost) => name.includes('collective')
/** What the best collective formula saves beside the best of the others, in cents a year; below zero it costs more. */
export function collectiveGain({ options }: Pick<Costed, 'options'>): number {
  const [best, other] = [options.find(isCollective), options.find((option) => !isCollective(option))]
  // Of the cents that are shown: what is subtracted by hand is what stands there.
  return best && other ? centsOf(other) - centsOf(best) : 0
}

export function gridRule(scene: Scene, operationId: string, costed: Costed[], names: Record<string, string>): Raw[] {
  const gains = costed
    .filter(({ days }) => days >= ENOUGH_DAYS)
    .map((one) => ({ id: one.id, cents: collectiveGain(one) }))
    .filter(({ cents }) => cents >= LEAST_CENTS)
    .sort((a, b) => b.cents - a.cents)
  const total = gains.reduce((sum, { cents }) => sum + cents, 0)
  if (!gains.length) return []
  const shown = gains.slice(0, SHOWN)
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
        threshold: LEAST_CENTS / 100,
        worth: 'own',
        facts: { count: gains.length, of: costed.length, cents: total, name: names[gains[0]?.id ?? ''] ?? '' },
        evidence: {
          axis: 'name',
          unit: '€ par an',
          labels: shown.map(({ id }) => names[id] ?? id),
          series: [
            {
              name: 'Gain de la formule d’autoproduction collective',
              values: shown.map(({ cents }) => orNull(cents / 100, 2)),
            },
          ],
        },
      },
    },
  ]
}

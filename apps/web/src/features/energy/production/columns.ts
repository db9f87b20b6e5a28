import type { Reply } from '@voisol/contract/endpoint'
import type { EnergySeries, energy, Granularity } from '@voisol/contract/energy'

type Production = Reply<typeof energy.production>
const STEPS: Partial<Record<Granularity, number>> = { '15min': 15, hour: 60 }
const wh = (kwh: number | null) => (kwh === null ? null : kwh * 1000)

/** The documented answer in kWh, as the columns that the pictures draw. */
export function asSeries({ data }: Production, granularity: Granularity): EnergySeries {
  const nothing = data.map(() => null)
  return {
    granularity,
    starts: data.map(({ timestamp }) => timestamp),
    step: STEPS[granularity] ?? null,
    produced: data.map(({ production }) => wh(production)),
    shared: data.map(({ shared }) => wh(shared)),
    surplus: data.map(({ surplus }) => wh(surplus)),
    allocated: data.map(({ shared }) => wh(shared)),
    consumed: nothing,
    complement: nothing,
    marks: [],
  }
}

import type { EndpointReply } from '@voisol/contract/endpoint'
import type { EnergySeries, energy, Granularity } from '@voisol/contract/energy'

type ProductionReply = EndpointReply<typeof energy.production>
const STEP_MINUTES: Partial<Record<Granularity, number>> = { '15min': 15, hour: 60 }
const toWh = (kwh: number | null) => (kwh === null ? null : kwh * 1000)

/** The documented answer in kWh, as the columns that the pictures draw. */
export function productionToEnergySeries({ data }: ProductionReply, granularity: Granularity): EnergySeries {
  const nothing = data.map(() => null)
  return {
    granularity,
    starts: data.map(({ timestamp }) => timestamp),
    step: STEP_MINUTES[granularity] ?? null,
    produced: data.map(({ production }) => toWh(production)),
    shared: data.map(({ shared }) => toWh(shared)),
    surplus: data.map(({ surplus }) => toWh(surplus)),
    allocated: data.map(({ shared }) => toWh(shared)),
    consumed: nothing,
    complement: nothing,
    marks: [],
  }
}

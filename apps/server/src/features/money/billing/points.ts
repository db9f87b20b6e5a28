import type { InvoiceSnapshot } from '@voisol/contract/invoice-snapshot'
import { addDays } from '@voisol/energy/calendar'
import type { MonthResult } from './stored.ts'

type PointDetail = InvoiceSnapshot['points'][number]

const toWh = (wattMinutes: number) => Math.round(wattMinutes / 60)

/** The meters of a buyer in a month: consumption and local share, day by day. A gap is not a zero. */
export function buildPointDetails({ input, frame, outcome }: MonthResult, buyer: string): PointDetail[] {
  const daily = new Map(outcome.daily)
  const units = new Map(outcome.units)
  const sources = new Map(outcome.sources)
  return frame.members
    .filter((member) => member.buyer === buyer)
    .map(({ id, prm, label, from, to, drawn }) => {
      const local = daily.get(id) ?? []
      const days = drawn
        .map((total, at) => ({ day: addDays(`${input.month}-01`, at), total, localWh: local[at] ?? 0 }))
        .filter(({ day }) => from <= day && (to === null || day < to))
      const whole = days.every(({ total }) => total !== null)
      return {
        prm,
        label,
        totalWh: whole ? toWh(days.reduce((sum, { total }) => sum + (total ?? 0), 0)) : null,
        localWh: (units.get(id) ?? 0) * input.resolutionWh,
        source: sources.get(prm) ?? 'definitive',
        days: days.map(({ day, total, localWh }) => ({ day, localWh, totalWh: total === null ? null : toWh(total) })),
      }
    })
}

/** Joins the details of several months on one document: one entry per meter with all its days. */
export function joinPointDetails(months: PointDetail[][]): PointDetail[] {
  return [...Map.groupBy(months.flat(), ({ prm }) => prm).values()].flatMap((own) => {
    const [first] = own
    if (!first) return []
    const whole = own.every(({ totalWh }) => totalWh !== null)
    return [
      {
        ...first,
        totalWh: whole ? own.reduce((sum, { totalWh }) => sum + (totalWh ?? 0), 0) : null,
        localWh: own.reduce((sum, { localWh }) => sum + localWh, 0),
        source: own.find(({ source }) => source === 'provisional')?.source ?? first.source,
        days: own.flatMap(({ days }) => days),
      },
    ]
  })
}

import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { call } from '../../lib/call.ts'
import { buildPeriod, getTodayInParis } from '../../ui/period/period.ts'

export type MonthEnergy = { consumed: number; local: number; produced: number }
const PAGE_SIZE = 100
const NO_ENERGY: MonthEnergy = { consumed: 0, local: 0, produced: 0 }

/** The rows are points; a client is the sum of theirs. */
async function loadMonthEnergy(from: string, to: string): Promise<Map<string, MonthEnergy>> {
  const sums = new Map<string, MonthEnergy>()
  for (let page = 1, readRows = 0, total = 1; readRows < total; page += 1) {
    const rows = await call(energy.members, { query: { from, to, page, size: PAGE_SIZE } })
    for (const { participantId, direction, total: all, local } of rows.items) {
      const previous = sums.get(participantId) ?? NO_ENERGY
      const updated =
        direction === 'consumption'
          ? { consumed: previous.consumed + all, local: previous.local + local }
          : { produced: previous.produced + all }
      sums.set(participantId, { ...previous, ...updated })
    }
    if (rows.items.length === 0) break
    readRows += rows.items.length
    total = rows.total
  }
  return sums
}

/** Each client's energy since the first of the month. */
export function useMonthEnergy() {
  const { from, to } = buildPeriod('month', getTodayInParis())
  const { data, error } = useQuery({
    queryKey: [energy.members.path, 'by participant', from, to],
    queryFn: () => loadMonthEnergy(from, to),
  })
  return { from, sums: data, failed: error !== null }
}

import { useQuery } from '@tanstack/react-query'
import { energy } from '@voisol/contract/energy'
import { call } from '../../lib/call.ts'
import { periodOf, todayInParis } from '../../ui/period/period.ts'

export type MonthEnergy = { consumed: number; local: number; produced: number }
const SIZE = 100
const NONE: MonthEnergy = { consumed: 0, local: 0, produced: 0 }

/** The rows are points; a client is the sum of theirs. */
async function readMonth(from: string, to: string): Promise<Map<string, MonthEnergy>> {
  const sums = new Map<string, MonthEnergy>()
  for (let page = 1, seen = 0, total = 1; seen < total; page += 1) {
    const rows = await call(energy.members, { query: { from, to, page, size: SIZE } })
    for (const { participantId, direction, total: all, local } of rows.items) {
      const old = sums.get(participantId) ?? NONE
      const more =
        direction === 'consumption'
          ? { consumed: old.consumed + all, local: old.local + local }
          : { produced: old.produced + all }
      sums.set(participantId, { ...old, ...more })
    }
    if (rows.items.length === 0) break
    seen += rows.items.length
    total = rows.total
  }
  return sums
}

/** Each client's energy since the first of the month. */
export function useMonthEnergy() {
  const { from, to } = periodOf('month', todayInParis())
  const { data, error } = useQuery({
    queryKey: [energy.members.path, 'by participant', from, to],
    queryFn: () => readMonth(from, to),
  })
  return { from, sums: data, failed: error !== null }
}

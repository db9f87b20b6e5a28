import type { Why } from '@voisol/contract/why'
import { rates } from '@voisol/energy/metrics'
import type { Db } from '../../../db/client.ts'
import { type Period, type SeatMonth, seatsByMonth } from '../energy/energy.ts'

/** With fewer, the middle one would be somebody. */
export const ANONYMOUS = 5

type Place = Period & { companyId: number; operationId: string; participantId: string }

function middle(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [sorted[sorted.length % 2 ? half : half - 1], sorted[half]]
  return (low + high) / 2
}

/** What each of the other consumers drew and was given. */
function othersOf(seats: SeatMonth[], participantId: string) {
  const sums = new Map<string, { total: number; local: number }>()
  for (const { member, sum } of seats) {
    if (member.direction !== 'consumption' || member.participantId === participantId) continue
    const known = sums.get(member.participantId) ?? { total: 0, local: 0 }
    sums.set(member.participantId, { total: known.total + sum.total, local: known.local + sum.local })
  }
  return [...sums.values()].filter(({ total }) => total > 0)
}

/** The middle of the others, in whole percents and kWh: of an odd number it is the figure of one of them. */
export async function neighboursOf(db: Db, place: Place): Promise<Why['neighbours']> {
  const { companyId, operationId, participantId, from, to } = place
  const others = othersOf(await seatsByMonth(db, companyId, operationId, { from, to }), participantId)
  if (others.length < ANONYMOUS) return null
  const share = others.map(
    ({ total, local }) => rates({ produced: 0, allocated: local, consumed: total }).selfProduction ?? 0,
  )
  return {
    members: others.length,
    selfProduction: Math.round(middle(share) * 100) / 100,
    local: Math.round(middle(others.map(({ local }) => local)) / 60_000) * 1000,
  }
}

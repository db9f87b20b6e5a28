import type { Why } from '@voisol/contract/why'
import { rates } from '@voisol/energy/metrics'
import type { Db } from '../../../db/client.ts'
import {
  ANONYMOUS,
  comparableTo,
  type Member,
  type Period,
  personOf,
  type SeatMonth,
  seatsByMonth,
} from '../energy/energy.ts'

type Place = Period & { companyId: number; operationId: string; participantId: string }

function middle(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [sorted[sorted.length % 2 ? half : half - 1], sorted[half]]
  return (low + high) / 2
}

/** What each of these people drew and was given. */
function sumsOf(seats: SeatMonth[], people: Set<Member>) {
  const sums = new Map<string, { total: number; local: number }>()
  for (const { member, sum } of seats) {
    if (!people.has(member)) continue
    const known = sums.get(personOf(member)) ?? { total: 0, local: 0 }
    sums.set(personOf(member), { total: known.total + sum.total, local: known.local + sum.local })
  }
  return [...sums.values()].filter(({ total }) => total > 0)
}

/** The middle of comparable neighbours, in whole percents and kWh: of an odd number it is the figure of one of them. */
export async function neighboursOf(db: Db, place: Place): Promise<Why['neighbours']> {
  const { companyId, operationId, participantId, from, to } = place
  const seats = await seatsByMonth(db, companyId, operationId, { from, to })
  const members = [...new Set(seats.map(({ member }) => member))]
  const own = members.filter((member) => member.participantId === participantId)
  const others = sumsOf(seats, new Set(await comparableTo(db, companyId, own, members)))
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

import type { EnergyExplanation } from '@voisol/contract/why'
import { computeRates } from '@voisol/energy/metrics'
import type { Db } from '../../../db/client.ts'
import {
  getPersonId,
  listComparableMembers,
  loadMemberSumsByMonth,
  type Member,
  type MemberMonthSum,
  MIN_ANONYMOUS_PEOPLE,
  type Period,
} from '../energy/energy.ts'

type NeighboursQuery = Period & { companyId: number; operationId: string; participantId: string }

function computeMedian(values: number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [sorted[sorted.length % 2 ? half : half - 1], sorted[half]]
  return (low + high) / 2
}

/** Consumption and local energy of each of these people. */
function sumByPerson(memberMonths: MemberMonthSum[], people: Set<Member>) {
  const sums = new Map<string, { total: number; local: number }>()
  for (const { member, sum } of memberMonths) {
    if (!people.has(member)) continue
    const known = sums.get(getPersonId(member)) ?? { total: 0, local: 0 }
    sums.set(getPersonId(member), { total: known.total + sum.total, local: known.local + sum.local })
  }
  return [...sums.values()].filter(({ total }) => total > 0)
}

/** The median of comparable neighbours, in whole per cent and kWh: rounded because it may be one person's figure. */
export async function loadMedianNeighbours(db: Db, place: NeighboursQuery): Promise<EnergyExplanation['neighbours']> {
  const { companyId, operationId, participantId, from, to } = place
  const memberMonths = await loadMemberSumsByMonth(db, companyId, operationId, { from, to })
  const members = [...new Set(memberMonths.map(({ member }) => member))]
  const own = members.filter((member) => member.participantId === participantId)
  const others = sumByPerson(memberMonths, new Set(await listComparableMembers(db, companyId, own, members)))
  if (others.length < MIN_ANONYMOUS_PEOPLE) return null
  const share = others.map(
    ({ total, local }) => computeRates({ produced: 0, allocated: local, consumed: total }).selfProduction ?? 0,
  )
  return {
    members: others.length,
    selfProduction: Math.round(computeMedian(share) * 100) / 100,
    local: Math.round(computeMedian(others.map(({ local }) => local)) / 60_000) * 1000,
  }
}

import type { EnergySummary } from '@voisol/contract/energy'
import { computeRates } from '@voisol/energy/metrics'
import { loadPortalDisplay } from '../../../core/portal-shown.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { computeAnonymousMean, getPersonId, listComparableMembers, MIN_ANONYMOUS_PEOPLE } from './comparable.ts'
import type { Period } from './period.ts'
import { listOperationIds } from './pieces.ts'
import { listMembersOfOperations, type Member, type MemberSelection } from './scope.ts'
import { loadAllocationSums } from './sums.ts'
import { loadPeriodData } from './totals.ts'

/** In whole per cent: with more digits an individual value could be derived from means of different days. */
const roundToPercent = (rate: number) => Math.round(rate * 100) / 100

/** The mean self-production rate of comparable consumers of the same operations; nothing for a whole operation. */
export async function compareWithNeighbours(
  db: Db,
  { companyId, space }: Actor,
  members: Member[],
  query: Period & MemberSelection,
): Promise<EnergySummary['neighbours']> {
  if (space === 'office' && !query.participantId && !query.pointId) return null
  if (space === 'portal' && !(await loadPortalDisplay(db, companyId)).comparison) return null
  const own = members.filter(({ direction, storage }) => direction === 'consumption' && !storage)
  if (!own.length) return null
  const all = await listMembersOfOperations(db, companyId, listOperationIds(own))
  const others = await listComparableMembers(db, companyId, own, all)
  const people = [...new Set(others.map(getPersonId))]
  if (people.length < MIN_ANONYMOUS_PEOPLE) return null
  const groupOf = (member: Member) => people.indexOf(getPersonId(member))
  const sums = await loadAllocationSums(
    db,
    companyId,
    await loadPeriodData(db, companyId, others, query, groupOf),
    'whole',
  )
  const knownRates = [...sums.values()].flatMap((buckets) => {
    const sum = buckets.get('')
    const rate = sum && computeRates({ produced: 0, allocated: sum.local, consumed: sum.total }).selfProduction
    return typeof rate === 'number' ? [rate] : []
  })
  const mean = computeAnonymousMean(knownRates)
  return mean === null ? null : { selfProduction: roundToPercent(mean), members: knownRates.length }
}

import type { Summary } from '@voisol/contract/energy'
import { rates } from '@voisol/energy/metrics'
import { portalShown } from '../../../core/portal-shown.ts'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { ANONYMOUS, anonymousMean, comparableTo, personOf } from './comparable.ts'
import type { Period } from './period.ts'
import { operationsOf } from './pieces.ts'
import { type Member, membersOfOperations, type Selection } from './scope.ts'
import { shared } from './sums.ts'
import { sceneOf } from './totals.ts'

/** In whole percents: more would let a mean be taken apart by asking it of other days. */
const coarse = (rate: number) => Math.round(rate * 100) / 100

/** The mean self-production rate of comparable consumers of the same operations; nothing for a whole operation. */
export async function neighboursOf(
  db: Db,
  { companyId, space }: Actor,
  members: Member[],
  query: Period & Selection,
): Promise<Summary['neighbours']> {
  if (space === 'office' && !query.participantId && !query.pointId) return null
  if (space === 'portal' && !(await portalShown(db, companyId)).comparison) return null
  const own = members.filter(({ direction, storage }) => direction === 'consumption' && !storage)
  if (!own.length) return null
  const all = await membersOfOperations(db, companyId, operationsOf(own))
  const others = await comparableTo(db, companyId, own, all)
  const people = [...new Set(others.map(personOf))]
  if (people.length < ANONYMOUS) return null
  const groupOf = (member: Member) => people.indexOf(personOf(member))
  const sums = await shared(db, companyId, await sceneOf(db, companyId, others, query, groupOf), 'whole')
  const known = [...sums.values()].flatMap((buckets) => {
    const sum = buckets.get('')
    const rate = sum && rates({ produced: 0, allocated: sum.local, consumed: sum.total }).selfProduction
    return typeof rate === 'number' ? [rate] : []
  })
  const mean = anonymousMean(known)
  return mean === null ? null : { selfProduction: coarse(mean), members: known.length }
}

import type { Summary } from '@voisol/contract/energy'
import { rates } from '@voisol/energy/metrics'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Period } from './period.ts'
import { operationsOf } from './pieces.ts'
import { type Member, membersOfOperations, type Selection } from './scope.ts'
import { shared } from './sums.ts'
import { sceneOf } from './totals.ts'

/** With fewer, a mean would tell of somebody. */
const ANONYMOUS = 5

/** The mean self-production rate of the other consumers of the same operations; nothing for a whole operation. */
export async function neighboursOf(
  db: Db,
  { companyId, space }: Actor,
  members: Member[],
  query: Period & Selection,
): Promise<Summary['neighbours']> {
  if (space === 'office' && !query.participantId && !query.pointId) return null
  const own = members.filter(({ direction, storage }) => direction === 'consumption' && !storage)
  if (!own.length) return null
  const mine = new Set(members.map(({ participantId }) => participantId))
  const others = (await membersOfOperations(db, companyId, operationsOf(own))).filter(
    ({ direction, storage, participantId }) => direction === 'consumption' && !storage && !mine.has(participantId),
  )
  const people = [...new Set(others.map(({ participantId }) => participantId))]
  if (people.length < ANONYMOUS) return null
  const groupOf = ({ participantId }: Member) => people.indexOf(participantId)
  const sums = await shared(db, companyId, await sceneOf(db, companyId, others, query, groupOf), 'whole')
  const known = [...sums.values()].flatMap((buckets) => {
    const sum = buckets.get('')
    const rate = sum && rates({ produced: 0, allocated: sum.local, consumed: sum.total }).selfProduction
    return typeof rate === 'number' ? [rate] : []
  })
  if (known.length < ANONYMOUS) return null
  return { selfProduction: known.reduce((a, b) => a + b, 0) / known.length, members: known.length }
}

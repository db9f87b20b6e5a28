import type { Db } from '../../../db/client.ts'
import { agreedTo } from '../../energy/consents/consents.ts'
import type { Member } from './scope.ts'

/** With fewer, a mean would tell of somebody. */
export const ANONYMOUS = 5

/** Whoever holds two contracts is one person, and counts once. */
export const personOf = ({ userId, participantId }: Pick<Member, 'userId' | 'participantId'>) => userId ?? participantId

const draws = ({ direction, storage }: Member) => direction === 'consumption' && !storage
const likeness = ({ kind, segment }: Member) => `${kind} ${segment}`

/**
 * Of some members, the others who draw as these do: homes with homes, on the same kind of connection. Only those who
 * agreed to be compared are among them.
 */
export async function comparableTo(db: Db, companyId: number, own: Member[], all: Member[]): Promise<Member[]> {
  const mine = new Set(own.map(personOf))
  const like = new Set(own.filter(draws).map(likeness))
  const others = all.filter((member) => draws(member) && !mine.has(personOf(member)) && like.has(likeness(member)))
  const agreed = await agreedTo(db, companyId, 'comparison', [...new Set(others.map((one) => one.participantId))])
  return others.filter(({ participantId }) => agreed.has(participantId))
}

/** A mean in which nobody is recognised: of five at least, and none of whom makes more than half of it. */
export function anonymousMean(values: number[]): number | null {
  const sum = values.reduce((a, b) => a + b, 0)
  if (values.length < ANONYMOUS || 2 * Math.max(...values) > sum) return null
  return sum / values.length
}

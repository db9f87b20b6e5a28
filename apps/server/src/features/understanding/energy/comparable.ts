import type { Db } from '../../../db/client.ts'
import { listParticipantsWithConsent } from '../../energy/consents/consents.ts'
import type { Member } from './scope.ts'

/** With fewer, a mean would tell of somebody. */
export const MIN_ANONYMOUS_PEOPLE = 5

/** Whoever holds two contracts is one person, and counts once. */
export const getPersonId = ({ userId, participantId }: Pick<Member, 'userId' | 'participantId'>) =>
  userId ?? participantId

const isConsumer = ({ direction, storage }: Member) => direction === 'consumption' && !storage
const getComparisonKey = ({ kind, segment }: Member) => `${kind} ${segment}`

/**
 * Of some members, the others who draw as these do: homes with homes, on the same kind of connection. Only those who
 * agreed to be compared are among them.
 */
export async function listComparableMembers(
  db: Db,
  companyId: number,
  own: Member[],
  all: Member[],
): Promise<Member[]> {
  const ownPersonIds = new Set(own.map(getPersonId))
  const comparisonKeys = new Set(own.filter(isConsumer).map(getComparisonKey))
  const others = all.filter(
    (member) =>
      isConsumer(member) && !ownPersonIds.has(getPersonId(member)) && comparisonKeys.has(getComparisonKey(member)),
  )
  const agreedParticipantIds = await listParticipantsWithConsent(db, companyId, 'comparison', [
    ...new Set(others.map((one) => one.participantId)),
  ])
  return others.filter(({ participantId }) => agreedParticipantIds.has(participantId))
}

/** A mean in which nobody is recognised: of five at least, and none of whom makes more than half of it. */
export function computeAnonymousMean(values: number[]): number | null {
  const sum = values.reduce((a, b) => a + b, 0)
  if (values.length < MIN_ANONYMOUS_PEOPLE || 2 * Math.max(...values) > sum) return null
  return sum / values.length
}

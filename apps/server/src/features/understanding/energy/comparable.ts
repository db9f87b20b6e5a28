import type { Db } from '../../../db/client.ts'
import { listParticipantsWithConsent } from '../../energy/consents/consents.ts'
import type { Member } from './scope.ts'

/** With fewer people, a mean would reveal individual values. */
export const MIN_ANONYMOUS_PEOPLE = 5

/** Somebody with two contracts is one person and counts once. */
export const getPersonId = ({ userId, participantId }: Pick<Member, 'userId' | 'participantId'>) =>
  userId ?? participantId

const isConsumer = ({ direction, storage }: Member) => direction === 'consumption' && !storage
const getComparisonKey = ({ kind, segment }: Member) => `${kind} ${segment}`

/** Other consumers of the same kind (households with households, on similar connections) who agreed to be compared. */
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

/** A mean that identifies nobody: at least five values, none of them more than half of the sum. */
export function computeAnonymousMean(values: number[]): number | null {
  const sum = values.reduce((a, b) => a + b, 0)
  if (values.length < MIN_ANONYMOUS_PEOPLE || 2 * Math.max(...values) > sum) return null
  return sum / values.length
}

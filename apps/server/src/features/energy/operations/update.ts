import type { Operation, OperationUpdate } from '@voisol/contract/operations'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { requireCurrentVersion } from '../../../http/record-version.ts'
import { lockEnrolments } from '../participants/participants.ts'
import { loadOperation, lockReadableOperation } from './find.ts'
import { requireAllowedPower } from './perimeter.ts'
import {
  requireAccNumberRemovable,
  requireDatesInOrder,
  requireNoParticipationBefore,
  requireUnusedAccNumber,
} from './rules.ts'
import { recordOperationUpdated } from './tell.ts'

type UpdateOperationInput = z.output<typeof OperationUpdate>

export async function updateOperation(tx: Db, actor: Actor, id: string, input: UpdateOperationInput) {
  await lockEnrolments(tx, actor.companyId)
  const before = await lockReadableOperation(tx, actor, id)
  const { version, ...values } = input
  // The calendar has its own table and no one-field message.
  const { timeCalendar: _, ...fields } = before
  requireCurrentVersion(fields, input)
  await requireOperationValid(tx, actor, before, input)
  await tx
    .update(operations)
    .set({ ...values, version: version + 1 })
    .where(and(eq(operations.companyId, actor.companyId), eq(operations.id, id)))
  const after = await loadOperation(tx, actor, id)
  const days = getComputationInputs(before) === getComputationInputs(after) ? null : { from: '1970-01-01', to: null }
  await recordOperationUpdated(tx, actor.companyId, after, days)
  return { before, after }
}

/** The fields of the operation that allocation depends on. */
const getComputationInputs = ({ stepMinutes, timeCalendar: { offPeak, peak } }: Operation) =>
  JSON.stringify([stepMinutes, offPeak, peak])

async function requireOperationValid(tx: Db, actor: Actor, before: Operation, input: UpdateOperationInput) {
  const { accNumber, startsOn, capacityWatts } = input
  requireDatesInOrder(input)
  requireAllowedPower(input, capacityWatts, 'capacityWatts')
  if (accNumber === null && before.accNumber) requireAccNumberRemovable(before)
  if (accNumber && accNumber !== before.accNumber) await requireUnusedAccNumber(tx, actor, accNumber, before.id)
  if (startsOn && startsOn !== before.startsOn) await requireNoParticipationBefore(tx, actor, before.id, startsOn)
}

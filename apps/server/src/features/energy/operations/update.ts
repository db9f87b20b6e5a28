import type { Operation, OperationUpdate } from '@voisol/contract/operations'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Db } from '../../../db/client.ts'
import { operations } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import { requireVersion } from '../../../http/record-version.ts'
import { lockEnrolments } from '../participants/participants.ts'
import { getOperation, lockOperation } from './find.ts'
import { requireAllowedPower } from './perimeter.ts'
import { requireFreeNumber, requireKeptNumber, requireNobodyBefore, requireOrder } from './rules.ts'
import { tellUpdated } from './tell.ts'

type Update = z.output<typeof OperationUpdate>

export async function updateOperation(tx: Db, actor: Actor, id: string, input: Update) {
  await lockEnrolments(tx, actor.companyId)
  const before = await lockOperation(tx, actor, id)
  const { version, ...values } = input
  // The calendar is a table of its own: it has no place in a sentence about one field.
  const { timeCalendar: _, ...fields } = before
  requireVersion(fields, input)
  await requireSound(tx, actor, before, input)
  await tx
    .update(operations)
    .set({ ...values, version: version + 1 })
    .where(and(eq(operations.companyId, actor.companyId), eq(operations.id, id)))
  const after = await getOperation(tx, actor, id)
  const days = reckoning(before) === reckoning(after) ? null : { from: '1970-01-01', to: null }
  await tellUpdated(tx, actor.companyId, after, days)
  return { before, after }
}

/** What a computation takes from the operation itself. */
const reckoning = ({ stepMinutes, timeCalendar: { offPeak, peak } }: Operation) =>
  JSON.stringify([stepMinutes, offPeak, peak])

async function requireSound(tx: Db, actor: Actor, before: Operation, input: Update) {
  const { accNumber, startsOn, capacityWatts } = input
  requireOrder(input)
  requireAllowedPower(input, capacityWatts, 'capacityWatts')
  if (accNumber === null && before.accNumber) requireKeptNumber(before)
  if (accNumber && accNumber !== before.accNumber) await requireFreeNumber(tx, actor, accNumber, before.id)
  if (startsOn && startsOn !== before.startsOn) await requireNobodyBefore(tx, actor, before.id, startsOn)
}

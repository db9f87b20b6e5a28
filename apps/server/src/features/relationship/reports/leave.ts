import { Id } from '@voisol/contract/primitives'
import { and, eq, sql } from 'drizzle-orm'
import { type Db, writeFor } from '../../../db/client.ts'
import { reportSchedules } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { isStamped, type Secrets } from '../../../secrets.ts'
import { publicUrl } from '../../people/mail/mail.ts'
import { tellStopped } from './schedules.ts'

type Reading = { companyId: number; scheduleId: string; userId: string }
const USE = 'leave-report'
const NOBODY = 'Ses destinataires ont demandé à ne plus le recevoir\u00a0: plus personne ne le lit.'

const textOf = ({ companyId, scheduleId, userId }: Reading) => `${companyId} ${scheduleId} ${userId}`
const stampOf = (secrets: Secrets, reading: Reading) => secrets.stamp(USE, textOf(reading))

/** Where a mail program posts that its reader wants no more of this report (RFC 8058). */
export function leaveUrl({ secrets, config }: Pick<Deps, 'secrets' | 'config'>, reading: Reading) {
  const { companyId, scheduleId, userId } = reading
  const key = [companyId, scheduleId, userId, stampOf(secrets, reading)].join('.')
  return publicUrl(config, `/api/reports/unsubscribe/${key}`)
}

function readingOf(secrets: Secrets, key: string): Reading | undefined {
  const [company = '', scheduleId = '', userId = '', stamp = ''] = key.split('.')
  const reading = { companyId: Number(company), scheduleId, userId }
  if (!Number.isSafeInteger(reading.companyId) || ![scheduleId, userId].every((id) => Id.safeParse(id).success)) return
  return isStamped(secrets.stamps(USE, textOf(reading)), stamp) ? reading : undefined
}

/** One reader less; without any the sending stops, and its page says why. A key that is not ours does nothing. */
export async function leaveReport(tx: Db, secrets: Secrets, key: string): Promise<void> {
  const reading = readingOf(secrets, key)
  if (!reading) return
  const { companyId, scheduleId, userId } = reading
  await writeFor(tx, companyId)
  const here = and(eq(reportSchedules.companyId, companyId), eq(reportSchedules.id, scheduleId))
  const [row] = await tx.select().from(reportSchedules).where(here).for('update')
  if (!row?.recipientIds.includes(userId)) return
  const recipientIds = row.recipientIds.filter((id) => id !== userId)
  const stops = recipientIds.length === 0 && row.active
  await tx
    .update(reportSchedules)
    .set({
      recipientIds,
      version: sql`${reportSchedules.version} + 1`,
      ...(stops && { active: false, trouble: NOBODY }),
    })
    .where(here)
  if (stops) await tellStopped(tx, { ...row, recipientIds }, NOBODY)
}

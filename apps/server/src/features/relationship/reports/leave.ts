import { Id } from '@voisol/contract/primitives'
import { and, eq, sql } from 'drizzle-orm'
import { type Db, setWriteCompany } from '../../../db/client.ts'
import { reportSchedules } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { isValidStamp, type Secrets } from '../../../secrets.ts'
import { buildPublicUrl } from '../../people/mail/mail.ts'
import { recordUnscheduled } from './schedules.ts'

type ScheduleRecipient = { companyId: number; scheduleId: string; userId: string }
const STAMP_PURPOSE = 'leave-report'
const NO_RECIPIENT_LEFT_MESSAGE = 'Ses destinataires ont demandé à ne plus le recevoir\u00a0: plus personne ne le lit.'

const getStampText = ({ companyId, scheduleId, userId }: ScheduleRecipient) => `${companyId} ${scheduleId} ${userId}`
const computeStamp = (secrets: Secrets, reading: ScheduleRecipient) =>
  secrets.stamp(STAMP_PURPOSE, getStampText(reading))

/** The URL to which a mail program posts a one-click unsubscribe (RFC 8058). */
export function buildReportUnsubscribeUrl(
  { secrets, config }: Pick<Deps, 'secrets' | 'config'>,
  reading: ScheduleRecipient,
) {
  const { companyId, scheduleId, userId } = reading
  const key = [companyId, scheduleId, userId, computeStamp(secrets, reading)].join('.')
  return buildPublicUrl(config, `/api/reports/unsubscribe/${key}`)
}

function parseUnsubscribeKey(secrets: Secrets, key: string): ScheduleRecipient | undefined {
  const [company = '', scheduleId = '', userId = '', stamp = ''] = key.split('.')
  const reading = { companyId: Number(company), scheduleId, userId }
  if (!Number.isSafeInteger(reading.companyId) || ![scheduleId, userId].every((id) => Id.safeParse(id).success)) return
  return isValidStamp(secrets.stamps(STAMP_PURPOSE, getStampText(reading)), stamp) ? reading : undefined
}

/** Removes the recipient; without any recipient the schedule stops and shows why. An invalid key is ignored. */
export async function unsubscribeFromReport(tx: Db, secrets: Secrets, key: string): Promise<void> {
  const reading = parseUnsubscribeKey(secrets, key)
  if (!reading) return
  const { companyId, scheduleId, userId } = reading
  await setWriteCompany(tx, companyId)
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
      ...(stops && { active: false, trouble: NO_RECIPIENT_LEFT_MESSAGE }),
    })
    .where(here)
  if (stops) await recordUnscheduled(tx, { ...row, recipientIds }, NO_RECIPIENT_LEFT_MESSAGE)
}

import { REMINDER_LEVEL_LABELS, ReminderSnapshot } from '@voisol/contract/reminders'
import { buildReminderPdf } from '@voisol/documents/reminder-pdf'
import { and, desc, eq, ne } from 'drizzle-orm'
import { loadBrand, toCreditorBrand } from '../../../core/brand.ts'
import { sendCompanyMail } from '../../../core/company-mail.ts'
import type { Db } from '../../../db/client.ts'
import { reminders } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { isPermanentMailRefusal } from '../../../integrations/mail/mail.ts'
import { type JobRun, PermanentJobError } from '../../../jobs/job.ts'
import { buildBrandUrl, loadMailBrand, renderMail } from '../../identity/mail/index.ts'

type ReminderRecord = Omit<typeof reminders.$inferSelect, 'snapshot'> & { snapshot: ReminderSnapshot }

export async function findReminder(db: Db, companyId: number, id: string): Promise<ReminderRecord | undefined> {
  const [row] = await db
    .select()
    .from(reminders)
    .where(and(eq(reminders.companyId, companyId), eq(reminders.id, id)))
  return row && { ...row, snapshot: ReminderSnapshot.parse(row.snapshot) }
}

export const buildReminderFileName = ({ level, sentOn }: Pick<ReminderRecord, 'level' | 'sentOn'>) =>
  `${(REMINDER_LEVEL_LABELS[level] ?? 'Relance').toLowerCase().replaceAll(' ', '-')}-${sentOn}.pdf`

const updateReminder = (db: Db, { companyId, id }: ReminderRecord, values: { mailedAt: Date } | { failure: string }) =>
  db
    .update(reminders)
    .set(values)
    .where(and(eq(reminders.companyId, companyId), eq(reminders.id, id)))

/** The letter as PDF, in the name of the creditor. */
export async function renderReminderPdf(db: Db, row: ReminderRecord): Promise<Uint8Array> {
  const brand = toCreditorBrand(await loadBrand(db, row.companyId), row.snapshot.seller)
  return buildReminderPdf({ ...row, brand })
}

/** The mail around the letter, with the branding of the sending company. */
export async function buildReminderMail(deps: Pick<Deps, 'db' | 'config'>, row: ReminderRecord) {
  const { title, text, seller } = row.snapshot
  const brand = await loadMailBrand(deps.db, deps.config, row.companyId)
  const layout = renderMail({
    title: REMINDER_LEVEL_LABELS[row.level] ?? title,
    paragraphs: text.split(/\n{2,}/),
    action: { label: 'Voir mes factures', url: buildBrandUrl(deps.config, brand, '/client-portal/invoices') },
    footer: `${seller.name} — message envoyé par Voisol.`,
    by: seller.name,
    brand,
  })
  return { subject: title, ...layout }
}

/** The last reminder that the company sent by mail. */
export async function findLastReminder(db: Db, companyId: number): Promise<ReminderRecord | undefined> {
  const [row] = await db
    .select({ id: reminders.id })
    .from(reminders)
    .where(and(eq(reminders.companyId, companyId), ne(reminders.email, '')))
    .orderBy(desc(reminders.sentOn), desc(reminders.id))
    .limit(1)
  return row && findReminder(db, companyId, row.id)
}

/** Sends a reminder by mail with its letter and stores the server's answer; an unreachable server is tried again. */
export async function mailReminder(deps: Deps, companyId: number, id: string, task: JobRun): Promise<void> {
  const row = await findReminder(deps.db, companyId, id)
  if (!row) throw new PermanentJobError('no such reminder')
  if (row.mailedAt || !row.email) return
  const pdf = await renderReminderPdf(deps.db, row)
  const attachment = {
    filename: buildReminderFileName(row),
    contentType: 'application/pdf',
    encoding: 'base64' as const,
    content: Buffer.from(pdf).toString('base64'),
  }
  const message = await buildReminderMail(deps, row)
  try {
    const mail = { to: row.email, ...message, attachments: [attachment], id: task.id }
    await sendCompanyMail(deps, companyId, mail)
    await updateReminder(deps.db, row, { mailedAt: new Date() })
  } catch (error) {
    if (!isPermanentMailRefusal(error)) throw error
    await updateReminder(deps.db, row, { failure: `${row.email} a été refusée par le serveur de messagerie.` })
  }
}

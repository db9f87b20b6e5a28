import { LEVEL_WORDS, ReminderSnapshot } from '@voisol/contract/reminders'
import { and, desc, eq, ne } from 'drizzle-orm'
import { isRefused } from '../../../adapters/mail/mail.ts'
import { brandOf, inTheNameOf } from '../../../core/brand.ts'
import { sendFor } from '../../../core/company-sender.ts'
import type { Db } from '../../../db/client.ts'
import { reminders } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { GiveUp, type Task } from '../../../jobs/job.ts'
import { reminderPdf } from '../../../papers/reminder-pdf.ts'
import { brandUrl, mailBrandOf, mailLayout } from '../../people/mail/mail.ts'

export type ReminderRow = Omit<typeof reminders.$inferSelect, 'snapshot'> & { snapshot: ReminderSnapshot }

export async function reminderOf(db: Db, companyId: number, id: string): Promise<ReminderRow | undefined> {
  const [row] = await db
    .select()
    .from(reminders)
    .where(and(eq(reminders.companyId, companyId), eq(reminders.id, id)))
  return row && { ...row, snapshot: ReminderSnapshot.parse(row.snapshot) }
}

export const paperName = ({ level, sentOn }: Pick<ReminderRow, 'level' | 'sentOn'>) =>
  `${(LEVEL_WORDS[level] ?? 'Relance').toLowerCase().replaceAll(' ', '-')}-${sentOn}.pdf`

const set = (db: Db, { companyId, id }: ReminderRow, values: { mailedAt: Date } | { failure: string }) =>
  db
    .update(reminders)
    .set(values)
    .where(and(eq(reminders.companyId, companyId), eq(reminders.id, id)))

/** The letter as paper, in the name of who is owed. */
export async function letterOf(db: Db, row: ReminderRow): Promise<Uint8Array> {
  const brand = inTheNameOf(await brandOf(db, row.companyId), row.snapshot.seller)
  return reminderPdf({ ...row, brand })
}

/** The words beside the letter, in the look of the company that carries it. */
export async function reminderMail(deps: Pick<Deps, 'db' | 'config'>, row: ReminderRow) {
  const { title, text, seller } = row.snapshot
  const brand = await mailBrandOf(deps.db, deps.config, row.companyId)
  const layout = mailLayout({
    title: LEVEL_WORDS[row.level] ?? title,
    paragraphs: text.split(/\n{2,}/),
    action: { label: 'Voir mes factures', url: brandUrl(deps.config, brand, '/client-portal/invoices') },
    footer: `${seller.name} — message envoyé par Voisol.`,
    by: seller.name,
    brand,
  })
  return { subject: title, ...layout }
}

/** The last reminder that the company sent by mail. */
export async function lastReminder(db: Db, companyId: number): Promise<ReminderRow | undefined> {
  const [row] = await db
    .select({ id: reminders.id })
    .from(reminders)
    .where(and(eq(reminders.companyId, companyId), ne(reminders.email, '')))
    .orderBy(desc(reminders.sentOn), desc(reminders.id))
    .limit(1)
  return row && reminderOf(db, companyId, row.id)
}

/** Hands it to the mail server with its letter, and keeps what that answered; a server that is away is asked again. */
export async function mailReminder(deps: Deps, companyId: number, id: string, task: Task): Promise<void> {
  const row = await reminderOf(deps.db, companyId, id)
  if (!row) throw new GiveUp('no such reminder')
  if (row.mailedAt || !row.email) return
  const pdf = await letterOf(deps.db, row)
  const attachment = {
    filename: paperName(row),
    contentType: 'application/pdf',
    encoding: 'base64' as const,
    content: Buffer.from(pdf).toString('base64'),
  }
  const words = await reminderMail(deps, row)
  try {
    const mail = { to: row.email, ...words, attachments: [attachment], id: task.id }
    await sendFor(deps, companyId, mail)
    await set(deps.db, row, { mailedAt: new Date() })
  } catch (error) {
    if (!isRefused(error)) throw error
    await set(deps.db, row, { failure: `${row.email} a été refusée par le serveur de messagerie.` })
  }
}

import type { MailKind, mails } from '@voisol/contract/mails'
import { NotificationCategory } from '@voisol/contract/notifications'
import { can, type Permission } from '@voisol/contract/permissions'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Mail } from '../../../adapters/mail/mail.ts'
import { notifications } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, nameOfActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { debitMail } from '../../money/debits/debits.ts'
import { documentsMail, lastInvoice } from '../../money/invoices/invoices.ts'
import { lastReminder, reminderMail } from '../../money/reminders/reminders.ts'
import { accountMail } from '../../people/auth/auth.ts'
import { inlined } from '../../people/mail/mail.ts'
import { notificationMail } from '../../people/notifications/notifications.ts'
import { invitationMail } from '../../people/users/users.ts'
import { type JoiningMail, joiningMail } from '../joining/joining.ts'
import { type ParticipantMail, participantMail } from '../participant-mails/participant-mails.ts'
import { lastReport, reportMail } from '../reports/reports.ts'
import { solarMonthMail } from '../solar-month/solar-month.ts'

export { mailRows } from './rows.ts'

type Sample = z.output<typeof mails.sample.response>
type Making = Pick<Deps, 'db' | 'config'>
type Make = (deps: Making, actor: Actor) => Promise<(Sample & Pick<Mail, 'attachments'>) | undefined>

async function debited({ db, config }: Making, { companyId }: Actor): Promise<Sample | undefined> {
  const invoice = await lastInvoice(db, companyId, { debited: true })
  const debit = invoice?.snapshot.debit
  if (!invoice || !debit) return undefined
  const { number, totals } = invoice.snapshot
  return debitMail(db, config, companyId, {
    ...debit,
    debitId: '',
    participantId: '',
    amount: totals.gross,
    numbers: [number],
    creditor: { name: debit.creditor, ics: debit.ics },
  })
}

type Made = { right: Permission; make: Make }
/** The same words for everybody: nothing needs to have been sent. */
const alike = (kind: ParticipantMail): Made => ({
  right: 'companies.read',
  make: (deps, actor) => participantMail(deps, actor, kind),
})
const joining = (kind: JoiningMail): Made => ({
  right: 'operations.read',
  make: (deps, actor) => joiningMail(deps, actor, kind),
})

/** Each with what the company last sent of it where that makes it, and the right to read that. */
const MADE: Partial<Record<MailKind, Made>> = {
  welcome: alike('welcome'),
  'consent-request': alike('consent-request'),
  'consent-ending': alike('consent-ending'),
  'joining-link': joining('joining-link'),
  'joining-signed': joining('joining-signed'),
  'joining-accepted': joining('joining-accepted'),
  'joining-refused': joining('joining-refused'),
  'departure-accepted': joining('departure-accepted'),
  'departure-refused': joining('departure-refused'),
  successor: joining('successor'),
  'notification-month': { right: 'energy.read', make: solarMonthMail },
  invitation: {
    right: 'users.read',
    make: ({ db, config }, actor) =>
      invitationMail(db, config, actor, { role: 'client', roleName: '', token: 'apercu' }),
  },
  reset: { right: 'companies.read', make: ({ db, config }, { email }) => accountMail(db, config, email, 'reset') },
  verification: {
    right: 'companies.read',
    make: ({ db, config }, { email }) => accountMail(db, config, email, 'verification'),
  },
  invoice: {
    right: 'invoices.read',
    make: async (deps, { companyId }) => {
      const invoice = await lastInvoice(deps.db, companyId)
      return invoice && documentsMail(deps, invoice, [invoice], false)
    },
  },
  debit: { right: 'invoices.read', make: debited },
  reminder: {
    right: 'reminders.read',
    make: async (deps, { companyId }) => {
      const row = await lastReminder(deps.db, companyId)
      return row && reminderMail(deps, row)
    },
  },
  report: {
    right: 'reports.read',
    make: async (deps, actor) => {
      const content = await lastReport(deps.db, actor.companyId)
      return content && reportMail(deps, actor.companyId, content, nameOfActor(actor))
    },
  },
}

/** What was told is its reader's: one sees one's own, and the hours of the evening, which are the same for everybody. */
async function told({ db, config }: Making, actor: Actor, category: string): ReturnType<Make> {
  const { companyId, userId } = actor
  const [row] = await db
    .select()
    .from(notifications)
    .where(
      and(
        eq(notifications.companyId, companyId),
        eq(notifications.category, category),
        category === 'hours' ? undefined : eq(notifications.userId, userId),
      ),
    )
    .orderBy(desc(notifications.createdAt))
    .limit(1)
  if (!row) return undefined
  const { title, message, actionLabel, actionUrl } = row
  const action = actionLabel && actionUrl ? { action: { label: actionLabel, url: actionUrl } } : {}
  return notificationMail(db, config, companyId, { title, message, ...action })
}

/** A message as it leaves, made of what the company last sent of its kind; nothing is sent. */
export async function sampleOf(deps: Making, actor: Actor, kind: MailKind): Promise<Sample> {
  const made = MADE[kind]
  if (made && !can(actor, made.right))
    throw new AppError('conflict', { message: 'Votre rôle ne lit pas ce dont ce message parle.' })
  const category = NotificationCategory.options.find((name) => kind === `notification-${name}`)
  const sample = made ? await made.make(deps, actor) : await told(deps, actor, category ?? '')
  if (!sample)
    throw new AppError('conflict', {
      message: 'Votre organisation n’a encore rien envoyé de tel\u00a0: l’aperçu viendra avec le premier message.',
    })
  const { subject, html, text } = sample
  return { subject, html: inlined(html, sample.attachments), text }
}

import type { MailKind, mails } from '@voisol/contract/mails'
import { NotificationCategory } from '@voisol/contract/notifications'
import { hasPermission, type Permission } from '@voisol/contract/permissions'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import type { Mail } from '../../../adapters/mail/mail.ts'
import { notifications } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { buildDebitNoticeMail } from '../../money/debits/debits.ts'
import { buildDocumentsMail, findLastInvoice } from '../../money/invoices/invoices.ts'
import { buildReminderMail, findLastReminder } from '../../money/reminders/reminders.ts'
import { buildAccountMailPreview } from '../../people/auth/auth.ts'
import { inlineAttachments } from '../../people/mail/mail.ts'
import { buildNotificationMail } from '../../people/notifications/notifications.ts'
import { buildInvitationMail } from '../../people/users/users.ts'
import { buildJoinMailSample, type JoinMailKind } from '../joining/joining.ts'
import { buildParticipantMailSample, type ParticipantMailKind } from '../participant-mails/participant-mails.ts'
import { buildReportMail, findLastReport } from '../reports/reports.ts'
import { buildSolarMonthMailSample } from '../solar-month/solar-month.ts'

export { listMailRows } from './rows.ts'

type Sample = z.output<typeof mails.sample.response>
type SampleDeps = Pick<Deps, 'db' | 'config'>
type SampleBuilder = (deps: SampleDeps, actor: Actor) => Promise<(Sample & Pick<Mail, 'attachments'>) | undefined>

async function buildDebitSample({ db, config }: SampleDeps, { companyId }: Actor): Promise<Sample | undefined> {
  const invoice = await findLastInvoice(db, companyId, { debited: true })
  const debit = invoice?.snapshot.debit
  if (!invoice || !debit) return undefined
  const { number, totals } = invoice.snapshot
  return buildDebitNoticeMail(db, config, companyId, {
    ...debit,
    debitId: '',
    participantId: '',
    amount: totals.gross,
    numbers: [number],
    creditor: { name: debit.creditor, ics: debit.ics },
  })
}

type MailSample = { right: Permission; make: SampleBuilder }
/** The same text for everybody, so that a sample needs no sent mail. */
const fromParticipantMail = (kind: ParticipantMailKind): MailSample => ({
  right: 'companies.read',
  make: (deps, actor) => buildParticipantMailSample(deps, actor, kind),
})
const fromJoinMail = (kind: JoinMailKind): MailSample => ({
  right: 'operations.read',
  make: (deps, actor) => buildJoinMailSample(deps, actor, kind),
})

/** Each sample is based on the last mail of its kind, if the user may read it. */
const MAIL_SAMPLES: Partial<Record<MailKind, MailSample>> = {
  welcome: fromParticipantMail('welcome'),
  'consent-request': fromParticipantMail('consent-request'),
  'consent-ending': fromParticipantMail('consent-ending'),
  'joining-link': fromJoinMail('joining-link'),
  'joining-signed': fromJoinMail('joining-signed'),
  'joining-accepted': fromJoinMail('joining-accepted'),
  'joining-refused': fromJoinMail('joining-refused'),
  'departure-accepted': fromJoinMail('departure-accepted'),
  'departure-refused': fromJoinMail('departure-refused'),
  successor: fromJoinMail('successor'),
  'notification-month': { right: 'energy.read', make: buildSolarMonthMailSample },
  invitation: {
    right: 'users.read',
    make: ({ db, config }, actor) =>
      buildInvitationMail(db, config, actor, { role: 'client', roleName: '', token: 'apercu' }),
  },
  reset: {
    right: 'companies.read',
    make: ({ db, config }, { email }) => buildAccountMailPreview(db, config, email, 'reset'),
  },
  verification: {
    right: 'companies.read',
    make: ({ db, config }, { email }) => buildAccountMailPreview(db, config, email, 'verification'),
  },
  invoice: {
    right: 'invoices.read',
    make: async (deps, { companyId }) => {
      const invoice = await findLastInvoice(deps.db, companyId)
      return invoice && buildDocumentsMail(deps, invoice, [invoice], false)
    },
  },
  debit: { right: 'invoices.read', make: buildDebitSample },
  reminder: {
    right: 'reminders.read',
    make: async (deps, { companyId }) => {
      const row = await findLastReminder(deps.db, companyId)
      return row && buildReminderMail(deps, row)
    },
  },
  report: {
    right: 'reports.read',
    make: async (deps, actor) => {
      const content = await findLastReport(deps.db, actor.companyId)
      return content && buildReportMail(deps, actor.companyId, content, formatActorName(actor))
    },
  },
}

/**
 * A notification belongs to its recipient: users see their own ones, and the evening summary, which is the same for
 * everybody.
 */
async function buildNotificationSample(
  { db, config }: SampleDeps,
  actor: Actor,
  category: string,
): ReturnType<SampleBuilder> {
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
  return buildNotificationMail(db, config, companyId, { title, message, ...action })
}

/** Builds a sample of a mail from the company's last one of its kind; nothing is sent. */
export async function buildMailSample(deps: SampleDeps, actor: Actor, kind: MailKind): Promise<Sample> {
  const made = MAIL_SAMPLES[kind]
  if (made && !hasPermission(actor, made.right))
    throw new AppError('conflict', { message: 'Votre rôle ne lit pas ce dont ce message parle.' })
  const category = NotificationCategory.options.find((name) => kind === `notification-${name}`)
  const sample = made ? await made.make(deps, actor) : await buildNotificationSample(deps, actor, category ?? '')
  if (!sample)
    throw new AppError('conflict', {
      message: 'Votre organisation n’a encore rien envoyé de tel\u00a0: l’aperçu viendra avec le premier message.',
    })
  const { subject, html, text } = sample
  return { subject, html: inlineAttachments(html, sample.attachments), text }
}

import type { MailKind, MailRow, mails } from '@voisol/contract/mails'
import { NotificationCategory } from '@voisol/contract/notifications'
import { hasPermission, type Permission } from '@voisol/contract/permissions'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { notifications } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, formatActorName } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import type { Mail } from '../../../integrations/mail/mail.ts'
import { buildDocumentsMail, findLastInvoice } from '../../billing/invoices/index.ts'
import { buildAccountMailPreview } from '../../identity/auth/index.ts'
import { inlineAttachments } from '../../identity/mail/index.ts'
import { buildNotificationMail, isUnsubscribable } from '../../identity/notifications/index.ts'
import { buildInvitationMail } from '../../identity/users/index.ts'
import { buildDebitNoticeMail } from '../../payments/direct-debits/index.ts'
import { buildReminderMail, findLastReminder } from '../../payments/reminders/index.ts'
import { buildJoinMailSample, type JoinMailKind } from '../joining/index.ts'
import { buildParticipantMailSample, type ParticipantMailKind } from '../participant-mails/index.ts'
import { buildReportMail, findLastReport } from '../reports/index.ts'
import { buildSolarMonthMailSample } from '../solar-month/index.ts'

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

type MailDescription = Omit<MailRow, 'kind' | 'unsubscribe'>

const MAIL_DESCRIPTIONS: [MailKind, MailDescription][] = [
  [
    'invitation',
    { title: 'Invitation', to: 'Toute personne invitée', when: 'Quand vous l’invitez, ou renvoyez l’invitation' },
  ],
  ['welcome', { title: 'Bienvenue', to: 'Le participant', when: 'Une fois, quand il ouvre son espace' }],
  ['verification', { title: 'Adresse à confirmer', to: 'Qui ouvre un compte', when: 'À l’inscription' }],
  ['reset', { title: 'Nouveau mot de passe', to: 'Qui l’a demandé', when: 'À la demande' }],
  ['invoice', { title: 'Facture et documents', to: 'L’acheteur', when: 'Quand le mois est envoyé' }],
  ['debit', { title: 'Annonce d’un prélèvement', to: 'Qui sera prélevé', when: 'Avant chaque prélèvement' }],
  ['reminder', { title: 'Relance', to: 'Qui doit une facture échue', when: 'Quand vous relancez' }],
  [
    'consent-request',
    {
      title: 'Accord demandé',
      to: 'Qui n’a pas donné le sien',
      when: 'Quand vous le demandez, une fois par semaine au plus',
    },
  ],
  [
    'consent-ending',
    { title: 'Accord bientôt terminé', to: 'Qui l’a donné', when: 'Trente jours avant sa fin, puis sept' },
  ],
  ['joining-link', { title: 'Demande d’entrée à confirmer', to: 'Qui la fait', when: 'Dès qu’elle est remplie' }],
  ['joining-signed', { title: 'Demande d’entrée reçue', to: 'Qui l’a signée', when: 'À la signature' }],
  ['joining-accepted', { title: 'Demande d’entrée acceptée', to: 'Qui l’a faite', when: 'Quand vous l’acceptez' }],
  ['joining-refused', { title: 'Demande d’entrée refusée', to: 'Qui l’a faite', when: 'Quand vous la refusez' }],
  ['departure-accepted', { title: 'Départ accepté', to: 'Qui s’en va', when: 'Quand vous l’acceptez' }],
  ['departure-refused', { title: 'Départ refusé', to: 'Qui voulait partir', when: 'Quand vous le refusez' }],
  ['successor', { title: 'Mot au successeur', to: 'Qui emménage', when: 'Quand vous acceptez un déménagement' }],
  ['report', { title: 'Rapport programmé', to: 'Les lecteurs choisis', when: 'À son rythme' }],
]
const NOTIFICATION_DESCRIPTIONS: Record<NotificationCategoryName, MailDescription> = {
  security: { title: 'Alerte de sécurité', to: 'La personne concernée', when: 'Dès qu’elle survient' },
  account: { title: 'Vie du compte', to: 'La personne concernée', when: 'Quand elle ne peut pas attendre' },
  operations: { title: 'Vie des opérations', to: 'Qui suit l’opération', when: 'Quand elle ne peut pas attendre' },
  distributor: {
    title: 'Données du distributeur',
    to: 'Qui suit l’opération',
    when: 'Quand elle ne peut pas attendre',
  },
  billing: { title: 'Facturation', to: 'La personne concernée', when: 'Quand elle ne peut pas attendre' },
  support: { title: 'Réponse du support', to: 'Qui a posé la question', when: 'À chaque réponse' },
  system: { title: 'Installation', to: 'Les administrateurs', when: 'Quand elle ne peut pas attendre' },
  month: { title: 'Votre mois solaire', to: 'Chaque participant', when: 'Une fois par mois, quand il est complet' },
  hours: { title: 'Meilleures heures de demain', to: 'Qui l’a demandé', when: 'Chaque soir' },
}
type NotificationCategoryName = (typeof NotificationCategory.options)[number]

/** Every kind of mail that is sent in a company's name. */
export const listMailRows = (): MailRow[] => [
  ...MAIL_DESCRIPTIONS.map(([kind, told]) => ({ kind, ...told, unsubscribe: kind === 'report' })),
  ...NotificationCategory.options.map((category) => ({
    kind: `notification-${category}` as const,
    ...NOTIFICATION_DESCRIPTIONS[category],
    unsubscribe: isUnsubscribable(category),
  })),
]

import { and, eq } from 'drizzle-orm'
import { createLinkKey, requireLinkRequestId } from '../../../core/link-key.ts'
import { SITE_OWNER_ID } from '../../../core/site-company.ts'
import { requests } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { toStableId } from '../../../jobs/job.ts'
import { getToday } from '../../../today.ts'
import { buildPublicUrl, formatVisitorFooter, renderMail, sendMail } from '../../people/mail/mail.ts'
import { type RequestRow, storeRequest } from './keep.ts'
import { isBotSubmission, noteRequest, throttleForm, throttleLinkUse, type VisitorContext } from './visitor.ts'

const LINK_PURPOSE = 'newsletter'
/** The same whoever asks: the form does not tell who is subscribed. */
const CONFIRMATION_SENT = {
  success: true as const,
  message: 'Un e-mail vient de vous être envoyé\u00a0: ouvrez son lien pour confirmer votre abonnement.',
}
const CHOICES = {
  confirm: { subscription: 'confirmed', message: 'Votre abonnement est confirmé. À bientôt\u00a0!' },
  leave: {
    subscription: 'left',
    message: 'Votre désabonnement est enregistré\u00a0: vous ne recevrez plus la lettre.',
  },
} as const

export async function submitNewsletterForm(ctx: VisitorContext, input: { email: string; website: string }) {
  await throttleForm(ctx, input.email)
  if (await isBotSubmission(ctx, input.website)) return CONFIRMATION_SENT
  noteRequest(ctx, await subscribeToNewsletter(ctx, input.email))
  return CONFIRMATION_SENT
}

/** One subscription per address; it begins when the link sent to that address is opened. */
export async function subscribeToNewsletter(ctx: VisitorContext, email: string): Promise<RequestRow> {
  const { row, isNew } = await storeRequest(ctx.db, { kind: 'newsletter', email, subscription: 'waiting' }, [])
  const current = !isNew && row.subscription === 'left' ? await updateSubscription(ctx, row, 'waiting') : row
  if (current.subscription === 'waiting') await sendConfirmationMail(ctx, current)
  return current
}

async function sendConfirmationMail({ db, secrets, config }: VisitorContext, { id, email, version }: RequestRow) {
  const link = buildPublicUrl(config, `/newsletter?cle=${createLinkKey(secrets, LINK_PURPOSE, id)}`)
  const content = renderMail({
    title: 'Confirmez votre abonnement',
    paragraphs: [
      'Votre adresse a été inscrite à la lettre de Voisol. Elle ne vous sera envoyée qu’une fois cette inscription confirmée.',
      'Si vous n’avez rien demandé, ignorez ce message\u00a0: rien d’autre ne vous sera envoyé. Le même lien permet de vous désabonner à tout moment.',
    ],
    action: { label: 'Confirmer mon abonnement', url: link },
    footer: formatVisitorFooter(config),
  })
  const mail = { to: email, replyTo: config.SUPPORT_EMAIL, subject: 'Confirmez votre abonnement', ...content }
  // Sent at most once a day for one inscription, however often the form is.
  await sendMail(db, secrets, mail, { id: toStableId(`newsletter ${id} ${version} ${getToday()}`) })
}

async function updateSubscription({ db }: VisitorContext, row: RequestRow, subscription: string): Promise<RequestRow> {
  const [saved] = await db
    .update(requests)
    .set({ subscription, version: row.version + 1 })
    .where(and(eq(requests.companyId, SITE_OWNER_ID), eq(requests.id, row.id)))
    .returning()
  return saved ?? row
}

export async function applyNewsletterChoice(
  ctx: VisitorContext,
  { key, choice }: { key: string; choice: keyof typeof CHOICES },
) {
  await throttleLinkUse(ctx)
  const id = requireLinkRequestId(ctx.secrets, LINK_PURPOSE, key)
  const [row] = await ctx.db
    .select()
    .from(requests)
    .where(and(eq(requests.companyId, SITE_OWNER_ID), eq(requests.id, id), eq(requests.kind, 'newsletter')))
    .for('update')
  if (!row) throw new AppError('link-expired')
  const { subscription, message } = CHOICES[choice]
  if (row.subscription !== subscription) await updateSubscription(ctx, row, subscription)
  ctx.note({ companyId: row.companyId, target: id, detail: { before: row.subscription, after: subscription } })
  return { success: true as const, message }
}

import { count, eq, sql } from 'drizzle-orm'
import { loadSiteOwnerId } from '../../../core/site-owner.ts'
import type { Db } from '../../../db/client.ts'
import { statusSubscribers } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { toStableId } from '../../../jobs/job.ts'
import { getToday } from '../../../today.ts'
import { buildPublicUrl, formatVisitorFooter, renderMail, sendMail } from '../../identity/mail/index.ts'
import {
  createLinkKey,
  isBotSubmission,
  requireLinkRequestId,
  throttleForm,
  throttleLinkUse,
  type VisitorContext,
} from '../../site/requests/index.ts'

const KEY_PURPOSE = 'status'
type StatusSubscriberRow = typeof statusSubscribers.$inferSelect

/** The same answer for everybody, so that the form does not reveal who is subscribed. */
const SUBSCRIBE_REPLY = {
  success: true as const,
  message: 'Un e-mail vient de vous être envoyé\u00a0: ouvrez son lien pour confirmer votre abonnement.',
}
const CHOICE_RESULTS = {
  confirm: {
    state: 'confirmed',
    message: 'C’est confirmé\u00a0: chaque incident et chaque maintenance vous sera dit.',
  },
  leave: { state: 'left', message: 'Votre désabonnement est enregistré\u00a0: vous ne recevrez plus ces avis.' },
} as const

export const buildSubscriberLinks = (
  { secrets, config }: Pick<Deps, 'secrets' | 'config'>,
  { id }: StatusSubscriberRow,
) => {
  const key = createLinkKey(secrets, KEY_PURPOSE, id)
  return {
    page: buildPublicUrl(config, `/status?cle=${key}#abonnement`),
    oneClick: buildPublicUrl(config, `/api/status/unsubscribe/${key}`),
  }
}

export async function subscribeToStatus(ctx: VisitorContext, { email, website }: { email: string; website: string }) {
  await throttleForm(ctx, email)
  if (await isBotSubmission(ctx, website)) return SUBSCRIBE_REPLY
  const row = await upsertSubscriber(ctx.db, email)
  if (row.state === 'waiting') await sendConfirmationMail(ctx, row)
  ctx.note({ companyId: await loadSiteOwnerId(ctx.db), target: row.id })
  return SUBSCRIBE_REPLY
}

/** One row per address; a former subscriber must confirm again. */
async function upsertSubscriber(tx: Db, email: string): Promise<StatusSubscriberRow> {
  const [row] = await tx
    .insert(statusSubscribers)
    .values({ email })
    .onConflictDoUpdate({
      target: statusSubscribers.email,
      set: {
        state: sql`case ${statusSubscribers.state} when 'left' then 'waiting' else ${statusSubscribers.state} end`,
        changedAt: sql`case ${statusSubscribers.state} when 'left' then now() else ${statusSubscribers.changedAt} end`,
      },
    })
    .returning()
  if (!row) throw new AppError('internal')
  return row
}

async function sendConfirmationMail({ db, secrets, config }: VisitorContext, row: StatusSubscriberRow) {
  const content = renderMail({
    title: 'Confirmez votre abonnement à l’état du service',
    paragraphs: [
      'Votre adresse a été donnée pour recevoir les incidents et les maintenances de Voisol. Rien ne lui sera envoyé avant cette confirmation.',
      'Si vous n’avez rien demandé, ignorez ce message\u00a0: l’adresse est effacée après trente jours.',
    ],
    action: { label: 'Confirmer mon abonnement', url: buildSubscriberLinks({ secrets, config }, row).page },
    footer: formatVisitorFooter(config),
  })
  const subject = 'Confirmez votre abonnement à l’état du service'
  const mail = { to: row.email, replyTo: config.SUPPORT_EMAIL, subject, ...content }
  // At most one confirmation mail per day and subscription, however often the form is sent.
  const asked = row.changedAt.toISOString()
  await sendMail(db, secrets, mail, { id: toStableId(`status ${row.id} ${asked} ${getToday()}`) })
}

async function applyChoice(tx: Db, secrets: Deps['secrets'], key: string, choice: keyof typeof CHOICE_RESULTS) {
  const id = requireLinkRequestId(secrets, KEY_PURPOSE, key)
  const [row] = await tx.select().from(statusSubscribers).where(eq(statusSubscribers.id, id)).for('update')
  if (!row) throw new AppError('link-expired')
  const { state } = CHOICE_RESULTS[choice]
  if (row.state !== state)
    await tx.update(statusSubscribers).set({ state, changedAt: new Date() }).where(eq(statusSubscribers.id, id))
  return { id, before: row.state, after: state }
}

export async function decideStatusSubscription(
  ctx: VisitorContext,
  { key, choice }: { key: string; choice: keyof typeof CHOICE_RESULTS },
) {
  await throttleLinkUse(ctx)
  const { id, before, after } = await applyChoice(ctx.db, ctx.secrets, key, choice)
  ctx.note({ companyId: await loadSiteOwnerId(ctx.db), target: id, detail: { before, after } })
  return { success: true as const, message: CHOICE_RESULTS[choice].message }
}

/** Called by mail programs for one-click unsubscription (RFC 8058). */
export const unsubscribeFromStatus = ({ db, secrets }: Pick<Deps, 'db' | 'secrets'>, key: string) =>
  applyChoice(db, secrets, key, 'leave')

export const listConfirmedSubscribers = (db: Db): Promise<StatusSubscriberRow[]> =>
  db.select().from(statusSubscribers).where(eq(statusSubscribers.state, 'confirmed')).orderBy(statusSubscribers.id)

export async function countConfirmedSubscribers(db: Db): Promise<number> {
  const own = eq(statusSubscribers.state, 'confirmed')
  const [row] = await db.select({ total: count() }).from(statusSubscribers).where(own)
  return row?.total ?? 0
}

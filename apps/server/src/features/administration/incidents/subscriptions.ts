import { count, eq, sql } from 'drizzle-orm'
import { siteCompany } from '../../../core/site-company.ts'
import type { Db } from '../../../db/client.ts'
import { statusSubscribers } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError } from '../../../http/errors.ts'
import { jobId } from '../../../jobs/job.ts'
import { today } from '../../../today.ts'
import { mailLayout, publicUrl, sendMail, visitorFooter } from '../../people/mail/mail.ts'
import { countKey, countVisit, isScript, keyOf, requestOf, type Visit } from '../../site/requests/requests.ts'

const USE = 'status'
export type SubscriberRow = typeof statusSubscribers.$inferSelect

/** The same whoever asks: the form does not tell who is subscribed. */
const ANSWER = {
  success: true as const,
  message: 'Un e-mail vient de vous être envoyé\u00a0: ouvrez son lien pour confirmer votre abonnement.',
}
const CHOSEN = {
  confirm: {
    state: 'confirmed',
    message: 'C’est confirmé\u00a0: chaque incident et chaque maintenance vous sera dit.',
  },
  leave: { state: 'left', message: 'Votre désabonnement est enregistré\u00a0: vous ne recevrez plus ces avis.' },
} as const

export const linksOf = ({ secrets, config }: Pick<Deps, 'secrets' | 'config'>, { id }: SubscriberRow) => {
  const key = keyOf(secrets, USE, id)
  return {
    page: publicUrl(config, `/status?cle=${key}#abonnement`),
    oneClick: publicUrl(config, `/api/status/unsubscribe/${key}`),
  }
}

export async function subscribe(ctx: Visit, { email, website }: { email: string; website: string }) {
  await countVisit(ctx, email)
  if (await isScript(ctx, website)) return ANSWER
  const row = await keep(ctx.db, email)
  if (row.state === 'waiting') await askToConfirm(ctx, row)
  ctx.note({ companyId: await siteCompany(ctx.db), target: row.id })
  return ANSWER
}

/** One row per address; somebody who left and comes back is asked again. */
async function keep(tx: Db, email: string): Promise<SubscriberRow> {
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

async function askToConfirm({ db, secrets, config }: Visit, row: SubscriberRow) {
  const content = mailLayout({
    title: 'Confirmez votre abonnement à l’état du service',
    paragraphs: [
      'Votre adresse a été donnée pour recevoir les incidents et les maintenances de Voisol. Rien ne lui sera envoyé avant cette confirmation.',
      'Si vous n’avez rien demandé, ignorez ce message\u00a0: l’adresse est effacée après trente jours.',
    ],
    action: { label: 'Confirmer mon abonnement', url: linksOf({ secrets, config }, row).page },
    footer: visitorFooter(config),
  })
  const subject = 'Confirmez votre abonnement à l’état du service'
  const mail = { to: row.email, replyTo: config.SUPPORT_EMAIL, subject, ...content }
  // At most once a day for one inscription, however often the form is sent.
  const asked = row.changedAt.toISOString()
  await sendMail(db, secrets, mail, { id: jobId(`status ${row.id} ${asked} ${today()}`) })
}

async function choose(tx: Db, secrets: Deps['secrets'], key: string, choice: keyof typeof CHOSEN) {
  const id = requestOf(secrets, USE, key)
  const [row] = await tx.select().from(statusSubscribers).where(eq(statusSubscribers.id, id)).for('update')
  if (!row) throw new AppError('link-expired')
  const { state } = CHOSEN[choice]
  if (row.state !== state)
    await tx.update(statusSubscribers).set({ state, changedAt: new Date() }).where(eq(statusSubscribers.id, id))
  return { id, before: row.state, after: state }
}

export async function decide(ctx: Visit, { key, choice }: { key: string; choice: keyof typeof CHOSEN }) {
  await countKey(ctx)
  const { id, before, after } = await choose(ctx.db, ctx.secrets, key, choice)
  ctx.note({ companyId: await siteCompany(ctx.db), target: id, detail: { before, after } })
  return { success: true as const, message: CHOSEN[choice].message }
}

/** What a mail program does when its reader asks to be left alone. */
export const leaveAtOnce = ({ db, secrets }: Pick<Deps, 'db' | 'secrets'>, key: string) =>
  choose(db, secrets, key, 'leave')

export const confirmed = (db: Db): Promise<SubscriberRow[]> =>
  db.select().from(statusSubscribers).where(eq(statusSubscribers.state, 'confirmed')).orderBy(statusSubscribers.id)

export async function countConfirmed(db: Db): Promise<number> {
  const own = eq(statusSubscribers.state, 'confirmed')
  const [row] = await db.select({ total: count() }).from(statusSubscribers).where(own)
  return row?.total ?? 0
}

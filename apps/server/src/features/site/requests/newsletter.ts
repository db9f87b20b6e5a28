import { and, eq } from 'drizzle-orm'
import { keyOf, requestOf } from '../../../core/link-key.ts'
import { SITE } from '../../../core/site-company.ts'
import { requests } from '../../../db/schema/index.ts'
import { AppError } from '../../../http/errors.ts'
import { jobId } from '../../../jobs/job.ts'
import { today } from '../../../today.ts'
import { mailLayout, publicUrl, sendMail, visitorFooter } from '../../people/mail/mail.ts'
import { keepRequest, type RequestRow } from './keep.ts'
import { countKey, countVisit, isScript, noteRequest, type Visit } from './visitor.ts'

const USE = 'newsletter'
/** The same whoever asks: the form does not tell who is subscribed. */
const ANSWER = {
  success: true as const,
  message: 'Un e-mail vient de vous être envoyé\u00a0: ouvrez son lien pour confirmer votre abonnement.',
}
const CHOSEN = {
  confirm: { subscription: 'confirmed', message: 'Votre abonnement est confirmé. À bientôt\u00a0!' },
  leave: {
    subscription: 'left',
    message: 'Votre désabonnement est enregistré\u00a0: vous ne recevrez plus la lettre.',
  },
} as const

export async function newsletter(ctx: Visit, input: { email: string; website: string }) {
  await countVisit(ctx, input.email)
  if (await isScript(ctx, input.website)) return ANSWER
  noteRequest(ctx, await subscribe(ctx, input.email))
  return ANSWER
}

/** One subscription per address; it begins when the link sent to that address is opened. */
export async function subscribe(ctx: Visit, email: string): Promise<RequestRow> {
  const { row, isNew } = await keepRequest(ctx.db, { kind: 'newsletter', email, subscription: 'waiting' }, [])
  const kept = !isNew && row.subscription === 'left' ? await choose(ctx, row, 'waiting') : row
  if (kept.subscription === 'waiting') await askToConfirm(ctx, kept)
  return kept
}

async function askToConfirm({ db, secrets, config }: Visit, { id, email, version }: RequestRow) {
  const link = publicUrl(config, `/newsletter?cle=${keyOf(secrets, USE, id)}`)
  const content = mailLayout({
    title: 'Confirmez votre abonnement',
    paragraphs: [
      'Votre adresse a été inscrite à la lettre de Voisol. Elle ne vous sera envoyée qu’une fois cette inscription confirmée.',
      'Si vous n’avez rien demandé, ignorez ce message\u00a0: rien d’autre ne vous sera envoyé. Le même lien permet de vous désabonner à tout moment.',
    ],
    action: { label: 'Confirmer mon abonnement', url: link },
    footer: visitorFooter(config),
  })
  const mail = { to: email, replyTo: config.SUPPORT_EMAIL, subject: 'Confirmez votre abonnement', ...content }
  // Sent at most once a day for one inscription, however often the form is.
  await sendMail(db, secrets, mail, { id: jobId(`newsletter ${id} ${version} ${today()}`) })
}

async function choose({ db }: Visit, row: RequestRow, subscription: string): Promise<RequestRow> {
  const [saved] = await db
    .update(requests)
    .set({ subscription, version: row.version + 1 })
    .where(and(eq(requests.companyId, SITE), eq(requests.id, row.id)))
    .returning()
  return saved ?? row
}

export async function decide(ctx: Visit, { key, choice }: { key: string; choice: keyof typeof CHOSEN }) {
  await countKey(ctx)
  const id = requestOf(ctx.secrets, USE, key)
  const [row] = await ctx.db
    .select()
    .from(requests)
    .where(and(eq(requests.companyId, SITE), eq(requests.id, id), eq(requests.kind, 'newsletter')))
    .for('update')
  if (!row) throw new AppError('link-expired')
  const { subscription, message } = CHOSEN[choice]
  if (row.subscription !== subscription) await choose(ctx, row, subscription)
  ctx.note({ companyId: row.companyId, target: id, detail: { before: row.subscription, after: subscription } })
  return { success: true as const, message }
}

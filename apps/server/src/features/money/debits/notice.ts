import { and, eq } from 'drizzle-orm'
import { brandOf } from '../../../core/brand.ts'
import type { Db } from '../../../db/client.ts'
import { debits } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { jobId } from '../../../jobs/job.ts'
import { euros } from '../../../papers/decimals.ts'
import { longDay } from '../../../papers/words.ts'
import { brandUrl, mailBrandOf, mailLayout, sendMail } from '../../people/mail/mail.ts'
import { buyersOf } from '../parties/parties.ts'

export type Noticed = {
  debitId: string
  participantId: string
  rum: string
  ibanEnd: string
  amount: number
  collectionOn: string
  numbers: string[]
  creditor: { name: string; ics: string }
}
type Tools = Pick<Deps, 'secrets' | 'config'>

type Words = { title: string; body: (contact: string) => string[] }

/** Answers go to whoever can do something about it: the sender's own address reads none. */
async function compose(db: Db, config: Deps['config'], companyId: number, { creditor }: Noticed, words: Words) {
  const { contact } = await brandOf(db, companyId)
  const brand = await mailBrandOf(db, config, companyId)
  const layout = mailLayout({
    title: words.title,
    paragraphs: words.body(contact),
    action: { label: 'Voir mes factures', url: brandUrl(config, brand, '/client-portal/invoices') },
    footer: `${creditor.name} — message envoyé par Voisol.`,
    by: creditor.name,
    brand,
  })
  return { ...(contact && { replyTo: contact }), subject: `${words.title} — ${creditor.name}`, ...layout }
}

async function mail(tx: Db, deps: Tools, companyId: number, to: Noticed, words: Words) {
  const email = (await buyersOf(tx, companyId, [to.participantId])).get(to.participantId)?.email
  if (!email) return false
  const content = await compose(tx, deps.config, companyId, to, words)
  const id = jobId(`${words.title} ${to.debitId}`)
  await sendMail(tx, deps.secrets, { to: email, ...content }, { id, companyId })
  return true
}

function noticeWords(to: Noticed): Words {
  const about = to.numbers.length > 1 ? `les factures ${to.numbers.join(', ')}` : `la facture ${to.numbers[0] ?? ''}`
  return {
    title: `Prélèvement du ${longDay(to.collectionOn)}`,
    body: (contact) => [
      `Bonjour,\nvotre compte finissant par ${to.ibanEnd} sera débité de ${euros(to.amount)} le ${longDay(to.collectionOn)} pour ${about}.`,
      `Créancier\u00a0: ${to.creditor.name}, ICS ${to.creditor.ics}. Référence de votre mandat (RUM)\u00a0: ${to.rum}.`,
      `Vous n’avez rien à faire. Si ce montant vous étonne, ${contact ? 'répondez à ce message' : 'écrivez à votre organisateur'} avant cette date.`,
    ],
  }
}

/** What is told before a debit. */
export const debitMail = (db: Db, config: Deps['config'], companyId: number, to: Noticed) =>
  compose(db, config, companyId, to, noticeWords(to))

/** Tells whoever will be debited how much, when, under which mandate and by whom. Without an address, somebody must write. */
export async function giveNotice(tx: Db, deps: Tools, companyId: number, to: Noticed) {
  if (await mail(tx, deps, companyId, to, noticeWords(to)))
    await tx
      .update(debits)
      .set({ noticedAt: new Date() })
      .where(and(eq(debits.companyId, companyId), eq(debits.id, to.debitId)))
}

export const takeNoticeBack = (tx: Db, deps: Tools, companyId: number, to: Noticed) =>
  mail(tx, deps, companyId, to, {
    title: `Prélèvement du ${longDay(to.collectionOn)} annulé`,
    body: () => [
      `Bonjour,\nle prélèvement de ${euros(to.amount)} annoncé pour le ${longDay(to.collectionOn)} (mandat ${to.rum}) n’aura pas lieu. Vos factures restent à payer\u00a0: un nouveau prélèvement vous sera annoncé, ou vous pouvez les régler autrement.`,
    ],
  })

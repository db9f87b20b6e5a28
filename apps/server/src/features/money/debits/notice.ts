import { and, eq } from 'drizzle-orm'
import { loadBrand } from '../../../core/brand.ts'
import type { Db } from '../../../db/client.ts'
import { debits } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { toStableId } from '../../../jobs/job.ts'
import { formatEuros } from '../../../papers/decimals.ts'
import { formatLongDay } from '../../../papers/words.ts'
import { buildBrandUrl, loadMailBrand, renderMail, sendMail } from '../../people/mail/mail.ts'
import { loadBuyers } from '../parties/parties.ts'

export type DebitNotice = {
  debitId: string
  participantId: string
  rum: string
  ibanEnd: string
  amount: number
  collectionOn: string
  numbers: string[]
  creditor: { name: string; ics: string }
}
type NoticeDeps = Pick<Deps, 'secrets' | 'config'>

type NoticeText = { title: string; body: (contact: string) => string[] }

/** Replies go to the creditor's contact, since the sender address is not read. */
async function composeNotice(
  db: Db,
  config: Deps['config'],
  companyId: number,
  { creditor }: DebitNotice,
  words: NoticeText,
) {
  const { contact } = await loadBrand(db, companyId)
  const brand = await loadMailBrand(db, config, companyId)
  const layout = renderMail({
    title: words.title,
    paragraphs: words.body(contact),
    action: { label: 'Voir mes factures', url: buildBrandUrl(config, brand, '/client-portal/invoices') },
    footer: `${creditor.name} — message envoyé par Voisol.`,
    by: creditor.name,
    brand,
  })
  return { ...(contact && { replyTo: contact }), subject: `${words.title} — ${creditor.name}`, ...layout }
}

async function sendNotice(tx: Db, deps: NoticeDeps, companyId: number, to: DebitNotice, words: NoticeText) {
  const email = (await loadBuyers(tx, companyId, [to.participantId])).get(to.participantId)?.email
  if (!email) return false
  const content = await composeNotice(tx, deps.config, companyId, to, words)
  const id = toStableId(`${words.title} ${to.debitId}`)
  await sendMail(tx, deps.secrets, { to: email, ...content }, { id, companyId })
  return true
}

function buildNoticeText(to: DebitNotice): NoticeText {
  const about = to.numbers.length > 1 ? `les factures ${to.numbers.join(', ')}` : `la facture ${to.numbers[0] ?? ''}`
  return {
    title: `Prélèvement du ${formatLongDay(to.collectionOn)}`,
    body: (contact) => [
      `Bonjour,\nvotre compte finissant par ${to.ibanEnd} sera débité de ${formatEuros(to.amount)} le ${formatLongDay(to.collectionOn)} pour ${about}.`,
      `Créancier\u00a0: ${to.creditor.name}, ICS ${to.creditor.ics}. Référence de votre mandat (RUM)\u00a0: ${to.rum}.`,
      `Vous n’avez rien à faire. Si ce montant vous étonne, ${contact ? 'répondez à ce message' : 'écrivez à votre organisateur'} avant cette date.`,
    ],
  }
}

/** The notice sent before a debit. */
export const buildDebitNoticeMail = (db: Db, config: Deps['config'], companyId: number, to: DebitNotice) =>
  composeNotice(db, config, companyId, to, buildNoticeText(to))

/**
 * Notifies the payer of the amount, day, mandate and creditor. Without an e-mail address, a letter must be sent by
 * hand.
 */
export async function sendDebitNotice(tx: Db, deps: NoticeDeps, companyId: number, to: DebitNotice) {
  if (await sendNotice(tx, deps, companyId, to, buildNoticeText(to)))
    await tx
      .update(debits)
      .set({ noticedAt: new Date() })
      .where(and(eq(debits.companyId, companyId), eq(debits.id, to.debitId)))
}

export const sendCancellationNotice = (tx: Db, deps: NoticeDeps, companyId: number, to: DebitNotice) =>
  sendNotice(tx, deps, companyId, to, {
    title: `Prélèvement du ${formatLongDay(to.collectionOn)} annulé`,
    body: () => [
      `Bonjour,\nle prélèvement de ${formatEuros(to.amount)} annoncé pour le ${formatLongDay(to.collectionOn)} (mandat ${to.rum}) n’aura pas lieu. Vos factures restent à payer\u00a0: un nouveau prélèvement vous sera annoncé, ou vous pouvez les régler autrement.`,
    ],
  })

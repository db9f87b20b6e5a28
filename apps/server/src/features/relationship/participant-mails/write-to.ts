import { and, eq } from 'drizzle-orm'
import type { Config } from '../../../config.ts'
import { holdersOf } from '../../../core/held.ts'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { jobId } from '../../../jobs/job.ts'
import { mailBrandOf, mailLayout, sendMail } from '../../people/mail/mail.ts'
import { findRecipients, notificationMail, notify } from '../../people/notifications/notifications.ts'
import type { Reader, Words } from './words.ts'

type Message = { companyId: number; participantId: string; at: Date; key: string }

/** Who reads it, as the message speaks to them. */
export async function readerOf(
  db: Db,
  config: Config,
  companyId: number,
  person: Pick<Reader, 'firstName' | 'hasAccount'>,
): Promise<Reader> {
  const brand = await mailBrandOf(db, config, companyId)
  return { ...person, organiser: brand?.name ?? 'Votre organisateur', contact: brand?.contact ?? '' }
}

/** With the look of what is told by preference, or of a letter to somebody who has none to set. */
export async function wordsMail(db: Db, config: Config, companyId: number, words: Words, hasAccount: boolean) {
  if (hasAccount) return notificationMail(db, config, companyId, words)
  const brand = await mailBrandOf(db, config, companyId)
  const layout = mailLayout({
    title: words.title,
    paragraphs: words.mail.text.split(/\n+/),
    footer: 'Vous recevez ce message parce que vous prenez part à une opération d’autoconsommation collective.',
    brand,
  })
  return { subject: words.title, ...layout }
}

async function personOf(tx: Db, { companyId, participantId }: Pick<Message, 'companyId' | 'participantId'>) {
  const [row] = await tx
    .select({ email: participants.email, firstName: participants.firstName })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, participantId)))
  return row
}

/** In their space and by mail to each who has an account; by mail alone to whoever has none, where an address is known. */
export async function writeTo(tx: Db, deps: Deps, message: Message, wordsFor: (reader: Reader) => Words) {
  const { companyId, participantId, at, key } = message
  const wordsTo = async (firstName: string, hasAccount: boolean) =>
    wordsFor(await readerOf(tx, deps.config, companyId, { firstName, hasAccount }))
  const accounts = await findRecipients(tx, { companyId, to: await holdersOf(tx, companyId, participantId) })
  const person = await personOf(tx, message)
  for (const { id, firstName } of accounts) {
    const words = await wordsTo(firstName || (person?.firstName ?? ''), true)
    await notify(tx, deps, { companyId, to: [id], at, key, ...words, ...ABOUT, type: 'warning', priority: 'high' })
  }
  if (accounts.length || !person?.email) return
  const words = await wordsTo(person.firstName, false)
  const mail = { to: person.email, ...(await wordsMail(tx, deps.config, companyId, words, false)) }
  await sendMail(tx, deps.secrets, mail, { companyId, id: jobId(`participant mail ${companyId} ${key}`) })
}

/** What concerns an account is its owner's to get: no click of a mail program ends it. */
export const ABOUT = { category: 'account' } as const

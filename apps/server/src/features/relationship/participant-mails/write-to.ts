import { and, eq } from 'drizzle-orm'
import type { Config } from '../../../config.ts'
import { listUserIdsOfParticipant } from '../../../core/held.ts'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { toStableId } from '../../../jobs/job.ts'
import { loadMailBrand, renderMail, sendMail } from '../../people/mail/mail.ts'
import { buildNotificationMail, findRecipients, notify } from '../../people/notifications/notifications.ts'
import type { ParticipantMailReader, ParticipantMailText } from './words.ts'

type ParticipantMessage = { companyId: number; participantId: string; at: Date; key: string }

/** Loads the recipient with what the text needs. */
export async function loadMailReader(
  db: Db,
  config: Config,
  companyId: number,
  person: Pick<ParticipantMailReader, 'firstName' | 'hasAccount'>,
): Promise<ParticipantMailReader> {
  const brand = await loadMailBrand(db, config, companyId)
  return { ...person, organiser: brand?.name ?? 'Votre organisateur', contact: brand?.contact ?? '' }
}

/** A notification mail for users with preferences, or a simple mail for those without an account. */
export async function composeParticipantMail(
  db: Db,
  config: Config,
  companyId: number,
  words: ParticipantMailText,
  hasAccount: boolean,
) {
  if (hasAccount) return buildNotificationMail(db, config, companyId, words)
  const brand = await loadMailBrand(db, config, companyId)
  const layout = renderMail({
    title: words.title,
    paragraphs: words.mail.text.split(/\n+/),
    footer: 'Vous recevez ce message parce que vous prenez part à une opération d’autoconsommation collective.',
    brand,
  })
  return { subject: words.title, ...layout }
}

async function findPerson(
  tx: Db,
  { companyId, participantId }: Pick<ParticipantMessage, 'companyId' | 'participantId'>,
) {
  const [row] = await tx
    .select({ email: participants.email, firstName: participants.firstName })
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, participantId)))
  return row
}

/**
 * Notifies each holder with an account in the portal and by mail; without an account, writes to the participant's mail
 * address if known.
 */
export async function sendParticipantMail(
  tx: Db,
  deps: Deps,
  message: ParticipantMessage,
  wordsFor: (reader: ParticipantMailReader) => ParticipantMailText,
) {
  const { companyId, participantId, at, key } = message
  const wordsTo = async (firstName: string, hasAccount: boolean) =>
    wordsFor(await loadMailReader(tx, deps.config, companyId, { firstName, hasAccount }))
  const accounts = await findRecipients(tx, {
    companyId,
    to: await listUserIdsOfParticipant(tx, companyId, participantId),
  })
  const person = await findPerson(tx, message)
  for (const { id, firstName } of accounts) {
    const words = await wordsTo(firstName || (person?.firstName ?? ''), true)
    await notify(tx, deps, {
      companyId,
      to: [id],
      at,
      key,
      ...words,
      ...ACCOUNT_CATEGORY,
      type: 'warning',
      priority: 'high',
    })
  }
  if (accounts.length || !person?.email) return
  const words = await wordsTo(person.firstName, false)
  const mail = { to: person.email, ...(await composeParticipantMail(tx, deps.config, companyId, words, false)) }
  await sendMail(tx, deps.secrets, mail, { companyId, id: toStableId(`participant mail ${companyId} ${key}`) })
}

/** Account messages are mandatory: they have no one-click unsubscribe. */
export const ACCOUNT_CATEGORY = { category: 'account' } as const

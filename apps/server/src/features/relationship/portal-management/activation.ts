import { and, eq, isNull } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { companies, participants, portalLetters } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { sha256 } from '../../../secrets.ts'
import { inviteParticipant, updateParticipantRow } from '../../energy/participants/participants.ts'

/** The same message for a wrong, used, replaced or expired code, so that guessing reveals nothing. */
const buildUnknownCodeError = () =>
  fieldError('code', 'Ce code n’ouvre rien\u00a0: vérifiez-le, ou demandez une autre lettre à votre organisateur.')

/**
 * Locks the letter until the end of the transaction, so that it is used once. Its company is looked up first, since
 * Citus can lock rows of one company only.
 */
async function consumeActivationLetter(tx: Db, code: string) {
  const open = and(
    eq(portalLetters.codeHash, sha256(code)),
    isNull(portalLetters.usedAt),
    isNull(portalLetters.replacedAt),
  )
  const [found] = await tx.select({ companyId: portalLetters.companyId }).from(portalLetters).where(open)
  if (!found) throw buildUnknownCodeError()
  const here = and(eq(portalLetters.companyId, found.companyId), open)
  const [letter] = await tx.select().from(portalLetters).where(here).for('update')
  if (!letter || letter.expiresAt < new Date()) throw buildUnknownCodeError()
  await tx
    .update(portalLetters)
    .set({ usedAt: new Date() })
    .where(and(eq(portalLetters.companyId, letter.companyId), eq(portalLetters.id, letter.id)))
  return letter
}

/**
 * The code proves who received the letter; the invitation proves the mail address. It is sent in the name of whoever
 * created the letter, with their current permissions.
 */
export async function activatePortalAccess(
  tx: Db,
  post: Pick<Deps, 'secrets' | 'config'>,
  { code, email }: { code: string; email: string },
) {
  const { companyId, participantId, madeBy } = await consumeActivationLetter(tx, code)
  const maker = await authorizeJob(tx, { companyId, userId: madeBy }, { permission: 'participants.write' }).catch(
    () => {
      throw new AppError('link-expired', { message: 'Cette lettre n’est plus valable\u00a0: demandez-en une autre.' })
    },
  )
  const [person] = await tx
    .select()
    .from(participants)
    .where(and(eq(participants.companyId, companyId), eq(participants.id, participantId)))
    .for('update')
  // The participant got access in another way meanwhile: the letter is no longer valid.
  if (!person || person.email || person.userId) throw buildUnknownCodeError()
  await updateParticipantRow(tx, maker, participantId, { email })
  const { portal } = await inviteParticipant(tx, post, maker, participantId)
  const [company] = await tx.select({ name: companies.name }).from(companies).where(eq(companies.id, companyId))
  return { companyId, name: person.name, companyName: company?.name ?? '', known: portal.status === 'active' }
}

import { randomBytes } from 'node:crypto'
import { type AccessLetter, buildAccessLettersPdf } from '@voisol/documents/access-letter-pdf'
import { and, asc, eq, inArray, isNull, ne, sql } from 'drizzle-orm'
import { requireVisibleOperation } from '../../../core/access-scopes.ts'
import { loadBrand, loadCompanyLogo } from '../../../core/brand.ts'
import type { Db } from '../../../db/client.ts'
import { companies, memberships, participants, portalLetters } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, isPersonActor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { authorizeJob } from '../../../http/job-actor.ts'
import { sha256 } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { inviteParticipant, updateParticipantRow } from '../../energy/participants/index.ts'
import { buildBrandUrl, loadMailBrand } from '../../identity/mail/index.ts'
import { buildPeopleFilter, INVITATION_SENT_AT, INVITATION_STATE, PARTICIPANT_MEMBERSHIP } from './portal-people.ts'

type LettersRequest = { participantIds?: string[] | undefined; operationId?: string | undefined }
type Person = typeof participants.$inferSelect

/** A letter takes days to arrive and may be opened weeks later. */
const LETTER_VALID_DAYS = 60
const MAX_LETTERS = 200
/** Without characters that look alike on paper. */
const CODE_ALPHABET = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/**
 * Sixteen characters out of 31 cannot be guessed. Bytes beyond the last multiple of 31 are dropped, so that all
 * characters are equally likely.
 */
function generateActivationCode(): string {
  const whole = 256 - (256 % CODE_ALPHABET.length)
  let code = ''
  while (code.length < 16)
    for (const byte of randomBytes(32))
      if (byte < whole && code.length < 16) code += CODE_ALPHABET[byte % CODE_ALPHABET.length]
  return code
}
const formatActivationCode = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')

/** Locks by ids only, because Citus cannot lock rows chosen by a join with other tables. */
const lockParticipants = (tx: Db, { companyId }: Actor, found: { id: string }[]) => {
  const ids = found.map(({ id }) => id)
  return tx
    .select()
    .from(participants)
    .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids)))
    .orderBy(asc(participants.name), asc(participants.id))
    .for('update')
}

/** The named participants that the user can access, or everybody who can only be reached by post. */
async function lockAddressees(
  tx: Db,
  actor: Actor,
  { participantIds, operationId }: LettersRequest,
): Promise<Person[]> {
  if (operationId) await requireVisibleOperation(tx, actor, operationId)
  const ids = participantIds && [...new Set(participantIds)]
  const found = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(
      and(
        buildPeopleFilter(actor, { operationId }),
        ids ? inArray(participants.id, ids) : and(eq(participants.email, ''), isNull(participants.userId)),
      ),
    )
    .orderBy(asc(participants.name), asc(participants.id))
    .limit(MAX_LETTERS)
  const rows = await lockParticipants(tx, actor, found)
  if (ids && rows.length < ids.length) throw new AppError('not-found')
  const reached = rows.find(({ email, userId }) => email || userId)
  if (reached)
    throw new AppError('conflict', {
      message: `«\u00a0${reached.name}\u00a0» a une adresse e-mail\u00a0: invitez-le par e-mail.`,
    })
  if (!rows.length)
    throw new AppError('conflict', {
      message: 'Chaque participant a une adresse e-mail\u00a0: aucune lettre à écrire.',
    })
  return rows
}

async function storeLetterCode(
  tx: Db,
  actor: Actor,
  { companyId, id: participantId }: Person,
  expiresAt: Date,
): Promise<string> {
  const code = generateActivationCode()
  const own = and(eq(portalLetters.companyId, companyId), eq(portalLetters.participantId, participantId))
  const now = new Date()
  await tx
    .update(portalLetters)
    .set({ replacedAt: now })
    .where(and(own, isNull(portalLetters.replacedAt), isNull(portalLetters.usedAt)))
  await tx
    .insert(portalLetters)
    .values({ companyId, participantId, codeHash: sha256(code), madeBy: actor.userId, expiresAt, createdAt: now })
  return code
}

const formatPostalAddress = ({ address, postalCode, city }: Person) =>
  [address, [postalCode, city].filter(Boolean).join(' ')].filter(Boolean).join('\n')

/** Creates a page with an own code for each addressee and invalidates their earlier letter. */
export async function createActivationLetters(
  tx: Db,
  { config, files }: Pick<Deps, 'config' | 'files'>,
  actor: Actor,
  wanted: LettersRequest,
) {
  const people = await lockAddressees(tx, actor, wanted)
  if (!isPersonActor(actor)) throw new AppError('forbidden')
  const { companyId } = actor
  const expiresAt = new Date(Date.now() + LETTER_VALID_DAYS * 86_400_000)
  const home = await loadMailBrand(tx, config, companyId)
  const activationUrl = buildBrandUrl(config, home, '/activation')
  const letters: AccessLetter[] = []
  for (const person of people) {
    const code = formatActivationCode(await storeLetterCode(tx, actor, person, expiresAt))
    // In the URL fragment, which browsers do not send, so that it appears in no log.
    letters.push({ name: person.name, address: formatPostalAddress(person), code, url: `${activationUrl}#${code}` })
  }
  const brand = { ...(await loadBrand(tx, companyId)), logo: await loadCompanyLogo(tx, files, companyId) }
  const validUntil = Temporal.PlainDate.from(getToday()).add({ days: LETTER_VALID_DAYS }).toString()
  const shown = activationUrl.replace(/^https?:\/\//, '')
  const content = await buildAccessLettersPdf({ letters, madeOn: getToday(), validUntil, place: shown, brand })
  return { count: letters.length, content }
}

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

/** Minimum interval between reminders, and maximum number sent at once. */
const MIN_REMINDER_INTERVAL_DAYS = 3
const MAX_REMINDERS = 200

/** Sends another invitation to each person who has not answered. */
export async function remindPendingInvitations(
  tx: Db,
  post: Pick<Deps, 'secrets' | 'config'>,
  actor: Actor,
  { operationId }: { operationId?: string | undefined },
) {
  if (operationId) await requireVisibleOperation(tx, actor, operationId)
  const waiting = await tx
    .select({
      id: participants.id,
      due: sql<boolean>`${INVITATION_SENT_AT} <= now() - make_interval(days => ${MIN_REMINDER_INTERVAL_DAYS})`,
    })
    .from(participants)
    .innerJoin(memberships, PARTICIPANT_MEMBERSHIP)
    .where(
      and(
        buildPeopleFilter(actor, { operationId }),
        sql`${INVITATION_STATE} in ('sent', 'expired')`,
        ne(participants.email, ''),
      ),
    )
    .orderBy(asc(memberships.invitationExpiresAt), asc(participants.id))
  const due = waiting.filter((row) => row.due).slice(0, MAX_REMINDERS)
  // An account may be holder of several participants: it gets one reminder.
  const remindedUserIds = new Set<string>()
  for (const { id } of due) {
    const [row] = await tx
      .select({ userId: participants.userId })
      .from(participants)
      .where(and(eq(participants.companyId, actor.companyId), eq(participants.id, id)))
    if (!row?.userId || remindedUserIds.has(row.userId)) continue
    remindedUserIds.add(row.userId)
    await inviteParticipant(tx, post, actor, id)
  }
  return { sent: remindedUserIds.size, left: waiting.length - due.length }
}

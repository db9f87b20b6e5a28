import { randomBytes } from 'node:crypto'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { loadBrand } from '../../../core/brand.ts'
import { loadCompanyLogo } from '../../../core/brand-logo.ts'
import { requireVisibleOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { participants, portalLetters } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, isPersonActor } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { type AccessLetter, buildAccessLettersPdf } from '../../../papers/letter-pdf.ts'
import { sha256 } from '../../../secrets.ts'
import { getToday } from '../../../today.ts'
import { buildBrandUrl, loadMailBrand } from '../../people/mail/mail.ts'
import { buildPeopleFilter } from './people.ts'

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
export function generateActivationCode(): string {
  const whole = 256 - (256 % CODE_ALPHABET.length)
  let code = ''
  while (code.length < 16)
    for (const byte of randomBytes(32))
      if (byte < whole && code.length < 16) code += CODE_ALPHABET[byte % CODE_ALPHABET.length]
  return code
}
export const formatActivationCode = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')

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

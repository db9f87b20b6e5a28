import { randomBytes } from 'node:crypto'
import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { brandOf } from '../../../core/brand.ts'
import { logoOf } from '../../../core/brand-logo.ts'
import { findOperation } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { participants, portalLetters } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import { type Actor, isPerson } from '../../../http/actor.ts'
import { AppError } from '../../../http/errors.ts'
import { type Letter, letterPdf } from '../../../papers/letter-pdf.ts'
import { sha256 } from '../../../secrets.ts'
import { today } from '../../../today.ts'
import { brandUrl, mailBrandOf } from '../../people/mail/mail.ts'
import { chosenPeople } from './people.ts'

type Wanted = { participantIds?: string[] | undefined; operationId?: string | undefined }
type Person = typeof participants.$inferSelect

/** A letter takes days to come, and weeks to be opened. */
const VALID_DAYS = 60
const MOST = 200
/** Without those that look alike on paper. */
const SIGNS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'

/** Sixteen signs of thirty-one: nobody guesses one. Bytes beyond the last whole round are thrown again, so that none is likelier. */
export function newCode(): string {
  const whole = 256 - (256 % SIGNS.length)
  let code = ''
  while (code.length < 16)
    for (const byte of randomBytes(32)) if (byte < whole && code.length < 16) code += SIGNS[byte % SIGNS.length]
  return code
}
export const grouped = (code: string) => code.replace(/(.{4})(?=.)/g, '$1-')

/** By their numbers alone: a distributed PostgreSQL locks no rows that other tables choose. */
const lockPeople = (tx: Db, { companyId }: Actor, found: { id: string }[]) => {
  const ids = found.map(({ id }) => id)
  return tx
    .select()
    .from(participants)
    .where(and(eq(participants.companyId, companyId), inArray(participants.id, ids)))
    .orderBy(asc(participants.name), asc(participants.id))
    .for('update')
}

/** Those named, each in reach; or everybody who can be reached by post alone. */
async function addressees(tx: Db, actor: Actor, { participantIds, operationId }: Wanted): Promise<Person[]> {
  if (operationId) await findOperation(tx, actor, operationId)
  const ids = participantIds && [...new Set(participantIds)]
  const found = await tx
    .select({ id: participants.id })
    .from(participants)
    .where(
      and(
        chosenPeople(actor, { operationId }),
        ids ? inArray(participants.id, ids) : and(eq(participants.email, ''), isNull(participants.userId)),
      ),
    )
    .orderBy(asc(participants.name), asc(participants.id))
    .limit(MOST)
  const rows = await lockPeople(tx, actor, found)
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

async function keep(tx: Db, actor: Actor, { companyId, id: participantId }: Person, expiresAt: Date): Promise<string> {
  const code = newCode()
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

const addressOf = ({ address, postalCode, city }: Person) =>
  [address, [postalCode, city].filter(Boolean).join(' ')].filter(Boolean).join('\n')

/** A page for each, with a code of their own; the letter made before it no longer opens anything. */
export async function makeLetters(
  tx: Db,
  { config, files }: Pick<Deps, 'config' | 'files'>,
  actor: Actor,
  wanted: Wanted,
) {
  const people = await addressees(tx, actor, wanted)
  if (!isPerson(actor)) throw new AppError('forbidden')
  const { companyId } = actor
  const expiresAt = new Date(Date.now() + VALID_DAYS * 86_400_000)
  const home = await mailBrandOf(tx, config, companyId)
  const place = brandUrl(config, home, '/activation')
  const letters: Letter[] = []
  for (const person of people) {
    const code = grouped(await keep(tx, actor, person, expiresAt))
    // After the #: what follows it is never sent, and stays in no log.
    letters.push({ name: person.name, address: addressOf(person), code, url: `${place}#${code}` })
  }
  const brand = { ...(await brandOf(tx, companyId)), logo: await logoOf(tx, files, companyId) }
  const validUntil = Temporal.PlainDate.from(today()).add({ days: VALID_DAYS }).toString()
  const shown = place.replace(/^https?:\/\//, '')
  const content = await letterPdf({ letters, madeOn: today(), validUntil, place: shown, brand })
  return { count: letters.length, content }
}

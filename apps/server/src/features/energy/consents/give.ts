import type { Consent, ConsentDraft } from '@voisol/contract/consents'
import { and, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { holds } from '../../../core/held.ts'
import type { Db } from '../../../db/client.ts'
import { consents, participants } from '../../../db/schema/index.ts'
import { frenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { dayOf, today } from '../../../today.ts'
import { consentsOf } from './kept.ts'
import { consenterScope } from './scope.ts'
import { CONSENT_TEXTS, currentText } from './texts.ts'

type Draft = z.output<typeof ConsentDraft>
const YEARS = 3
const ZONE = 'Europe/Paris'

function requireText({ purpose, textVersion }: Draft, isOwn: boolean) {
  const known = CONSENT_TEXTS.some((text) => text.purpose === purpose && text.version === textVersion)
  if (!known) throw fieldError('textVersion', 'Cette version du texte n’existe pas pour cette finalité.')
  if (isOwn && currentText(purpose)?.version !== textVersion)
    throw fieldError('textVersion', 'Ce texte a changé depuis\u00a0: relisez-le avant de donner votre accord.')
}

function requireDays({ givenOn, expiresOn }: Draft) {
  const now = today()
  if (givenOn > now) throw fieldError('givenOn', 'Un consentement ne peut pas être daté de l’avenir.')
  if (expiresOn <= now) throw fieldError('expiresOn', 'La fin du consentement doit être après aujourd’hui.')
  const most = Temporal.PlainDate.from(givenOn).add({ years: YEARS }).toString()
  if (expiresOn > most)
    throw fieldError('expiresOn', `Un consentement vaut ${YEARS} ans au plus\u00a0: jusqu’au ${frenchDay(most)}.`)
}

/** A paper found later does not undo what the person decided since. */
async function requireLatest(tx: Db, actor: Actor, id: string, { purpose, givenOn }: Draft) {
  const last = (await consentsOf(tx, actor.companyId, [id])).find((consent) => consent.purpose === purpose)
  if (!last) return
  const since = dayOf(last.withdrawnAt ?? last.givenAt)
  if (givenOn < since)
    throw fieldError(
      'givenOn',
      `Un choix plus récent est enregistré pour cette finalité\u00a0: ${last.withdrawnAt ? 'retiré' : 'donné'} le ${frenchDay(since)}.`,
    )
}

async function lockConsenter(tx: Db, actor: Actor, id: string) {
  const [row] = await tx
    .select()
    .from(participants)
    .where(and(consenterScope(actor), eq(participants.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

const startOf = (day: string) => new Date(Temporal.PlainDate.from(day).toZonedDateTime(ZONE).epochMilliseconds)

/** A person's own yes is of this moment, by the portal; an administrator records one that was given on paper or came in a file. */
export async function giveConsent(tx: Db, actor: Actor, id: string, input: Draft, ip: string) {
  const participant = await lockConsenter(tx, actor, id)
  const isOwn = actor.kind === 'person' && (await holds(tx, actor, id))
  if (input.method === 'portal' && !isOwn)
    throw fieldError(
      'method',
      'Seule la personne elle-même donne son accord sur le portail\u00a0: choisissez papier ou import.',
    )
  const given: Draft = isOwn ? { ...input, method: 'portal', givenOn: today() } : input
  requireText(given, isOwn)
  requireDays(given)
  await requireLatest(tx, actor, id, given)
  const { purpose, textVersion, method, givenOn, expiresOn } = given
  const values = { companyId: actor.companyId, participantId: id, purpose, textVersion, method, expiresOn }
  const givenAt = isOwn ? new Date() : startOf(givenOn)
  const [row] = await tx
    .insert(consents)
    .values({ ...values, givenAt, recordedBy: actor.email, ip })
    .returning({ id: consents.id })
  return { participant, consent: await find(tx, actor, id, row?.id) }
}

async function find(tx: Db, actor: Actor, participantId: string, id: string | undefined): Promise<Consent> {
  const found = (await consentsOf(tx, actor.companyId, [participantId])).find((consent) => consent.id === id)
  if (!found) throw new AppError('not-found')
  return found
}

/** Ends it from now on; a second withdrawal changes nothing. */
export async function withdrawConsent(tx: Db, actor: Actor, id: string) {
  const [row] = await tx
    .select({ participant: participants })
    .from(consents)
    .innerJoin(
      participants,
      and(eq(participants.companyId, consents.companyId), eq(participants.id, consents.participantId)),
    )
    .where(and(consenterScope(actor), eq(consents.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  const { participant } = row
  const before = await find(tx, actor, participant.id, id)
  if (before.state === 'expired')
    throw new AppError('conflict', { message: 'Ce consentement n’est plus en vigueur\u00a0: il n’y a rien à retirer.' })
  if (before.state !== 'withdrawn')
    await tx
      .update(consents)
      .set({ withdrawnAt: new Date() })
      .where(and(eq(consents.companyId, actor.companyId), eq(consents.id, id)))
  return { participant, before, consent: await find(tx, actor, participant.id, id) }
}

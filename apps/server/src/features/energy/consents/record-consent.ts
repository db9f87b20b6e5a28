import { type Consent, type ConsentDraft, ConsentPurpose } from '@voisol/contract/consents'
import type { Proof } from '@voisol/contract/signatures'
import { formatFrenchDay } from '@voisol/file-formats/french'
import { and, desc, eq } from 'drizzle-orm'
import type { z } from 'zod'
import { userReadsParticipant } from '../../../core/access-scopes.ts'
import type { Db } from '../../../db/client.ts'
import { consents, events, participants } from '../../../db/schema/index.ts'
import { recordEvents } from '../../../events/events.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError, fieldError } from '../../../http/errors.ts'
import { getToday, toParisDay } from '../../../today.ts'
import { consentingParticipantScope, loadConsents } from './consent-queries.ts'
import { CONSENT_TEXTS, getCurrentConsentText } from './consent-texts.ts'

/** At most one request per week. */
const MIN_DAYS_BETWEEN_REQUESTS = 7

async function loadLastRequestDay(tx: Db, companyId: number, participantId: string): Promise<string | undefined> {
  const [last] = await tx
    .select({ at: events.at })
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.object, participantId), eq(events.name, 'consent.asked')))
    .orderBy(desc(events.seq))
    .limit(1)
  return last && toParisDay(last.at)
}

/** Participants to be asked, collected because the event is recorded last. */
export type RequestedParticipantIds = string[]

/**
 * Why consent to data collection is not requested; undefined when it is. The caller has locked the participant's row.
 */
export async function requestConsent(
  tx: Db,
  companyId: number,
  participantId: string,
  requestedIds: RequestedParticipantIds,
) {
  const consents = await loadConsents(tx, companyId, [participantId])
  const validConsent = consents.find(({ purpose, state }) => purpose === 'collection' && state === 'valid')
  if (validConsent) return `Accord en vigueur jusqu’au ${formatFrenchDay(validConsent.expiresOn)}.`
  const last = await loadLastRequestDay(tx, companyId, participantId)
  const pause = last && Temporal.PlainDate.from(last).add({ days: MIN_DAYS_BETWEEN_REQUESTS }).toString()
  if (last && pause && getToday() < pause)
    return `Déjà demandé le ${formatFrenchDay(last)}\u00a0: une fois par semaine au plus.`
  requestedIds.push(participantId)
  return undefined
}

export const recordConsentRequests = (tx: Db, companyId: number, requestedIds: RequestedParticipantIds) =>
  recordEvents(
    tx,
    companyId,
    'consent.asked',
    requestedIds.map((participantId) => ({
      object: participantId,
      data: { participantId, purpose: 'collection' as const },
    })),
  )

type ConsentInput = z.output<typeof ConsentDraft>
const MAX_CONSENT_YEARS = 3
const ZONE = 'Europe/Paris'

function requireKnownText({ purpose, textVersion }: ConsentInput, isOwn: boolean) {
  const known = CONSENT_TEXTS.some((text) => text.purpose === purpose && text.version === textVersion)
  if (!known) throw fieldError('textVersion', 'Cette version du texte n’existe pas pour cette finalité.')
  if (isOwn && getCurrentConsentText(purpose)?.version !== textVersion)
    throw fieldError('textVersion', 'Ce texte a changé depuis\u00a0: relisez-le avant de donner votre accord.')
}

function requireConsentDays({ givenOn, expiresOn }: ConsentInput) {
  const now = getToday()
  if (givenOn > now) throw fieldError('givenOn', 'Un consentement ne peut pas être daté de l’avenir.')
  if (expiresOn <= now) throw fieldError('expiresOn', 'La fin du consentement doit être après aujourd’hui.')
  const latestEnd = Temporal.PlainDate.from(givenOn).add({ years: MAX_CONSENT_YEARS }).toString()
  if (expiresOn > latestEnd)
    throw fieldError(
      'expiresOn',
      `Un consentement vaut ${MAX_CONSENT_YEARS} ans au plus\u00a0: jusqu’au ${formatFrenchDay(latestEnd)}.`,
    )
}

/** A paper dated before the person's last decision does not replace it. */
async function requireNewerThanLast(tx: Db, actor: Actor, id: string, { purpose, givenOn }: ConsentInput) {
  const last = (await loadConsents(tx, actor.companyId, [id])).find((consent) => consent.purpose === purpose)
  if (!last) return
  const since = toParisDay(last.withdrawnAt ?? last.givenAt)
  if (givenOn < since)
    throw fieldError(
      'givenOn',
      `Un choix plus récent est enregistré pour cette finalité\u00a0: ${last.withdrawnAt ? 'retiré' : 'donné'} le ${formatFrenchDay(since)}.`,
    )
}

async function lockConsentingParticipant(tx: Db, actor: Actor, id: string) {
  const [row] = await tx
    .select()
    .from(participants)
    .where(and(consentingParticipantScope(actor), eq(participants.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  return row
}

const getStartOfDay = (day: string) => new Date(Temporal.PlainDate.from(day).toZonedDateTime(ZONE).epochMilliseconds)

/** A person consents in the portal, as of now; an administrator records a consent given on paper or in a file. */
export async function giveConsent(tx: Db, actor: Actor, id: string, input: ConsentInput, ip: string) {
  const participant = await lockConsentingParticipant(tx, actor, id)
  const isOwn = actor.kind === 'person' && (await userReadsParticipant(tx, actor, id))
  if (input.method === 'portal' && !isOwn)
    throw fieldError(
      'method',
      'Seule la personne elle-même donne son accord sur le portail\u00a0: choisissez papier ou import.',
    )
  const consentInput: ConsentInput = isOwn ? { ...input, method: 'portal', givenOn: getToday() } : input
  requireKnownText(consentInput, isOwn)
  requireConsentDays(consentInput)
  await requireNewerThanLast(tx, actor, id, consentInput)
  const { purpose, textVersion, method, givenOn, expiresOn } = consentInput
  const values = { companyId: actor.companyId, participantId: id, purpose, textVersion, method, expiresOn }
  const givenAt = isOwn ? new Date() : getStartOfDay(givenOn)
  const [row] = await tx
    .insert(consents)
    .values({ ...values, givenAt, recordedBy: actor.email, ip })
    .returning({ id: consents.id })
  return { participant, consent: await requireConsent(tx, actor, id, row?.id) }
}

async function requireConsent(tx: Db, actor: Actor, participantId: string, id: string | undefined): Promise<Consent> {
  const found = (await loadConsents(tx, actor.companyId, [participantId])).find((consent) => consent.id === id)
  if (!found) throw new AppError('not-found')
  return found
}

/** Ends a consent now; a second withdrawal changes nothing. */
export async function withdrawConsent(tx: Db, actor: Actor, id: string) {
  const [row] = await tx
    .select({ participant: participants })
    .from(consents)
    .innerJoin(
      participants,
      and(eq(participants.companyId, consents.companyId), eq(participants.id, consents.participantId)),
    )
    .where(and(consentingParticipantScope(actor), eq(consents.id, id)))
    .for('update')
  if (!row) throw new AppError('not-found')
  const { participant } = row
  const before = await requireConsent(tx, actor, participant.id, id)
  if (before.state === 'expired')
    throw new AppError('conflict', { message: 'Ce consentement n’est plus en vigueur\u00a0: il n’y a rien à retirer.' })
  if (before.state !== 'withdrawn')
    await tx
      .update(consents)
      .set({ withdrawnAt: new Date() })
      .where(and(eq(consents.companyId, actor.companyId), eq(consents.id, id)))
  return { participant, before, consent: await requireConsent(tx, actor, participant.id, id) }
}

type StoreSignedConsentsInput = {
  companyId: number
  participantId: string
  given: readonly { purpose: string; version: string }[]
  proof: Proof
}

/**
 * Stores the consents signed on the joining page, as of the signature. Later decisions are kept; the caller records the
 * event last.
 */
export async function storeSignedConsents(
  tx: Db,
  { companyId, participantId, given, proof }: StoreSignedConsentsInput,
): Promise<Consent[]> {
  const before = await loadConsents(tx, companyId, [participantId])
  const isDecidedSince = (purpose: string) =>
    before.some((one) => one.purpose === purpose && (one.withdrawnAt ?? one.givenAt) >= proof.at)
  const givenAt = new Date(proof.at)
  const expiresOn = Temporal.PlainDate.from(toParisDay(proof.at)).add({ years: MAX_CONSENT_YEARS }).toString()
  const values = given
    .filter(({ purpose }) => ConsentPurpose.safeParse(purpose).success && !isDecidedSince(purpose))
    .map(({ purpose, version: textVersion }) => ({
      companyId,
      participantId,
      purpose,
      textVersion,
      method: 'joining',
      givenAt,
      expiresOn,
      recordedBy: proof.name,
      ip: proof.ip,
    }))
  if (!values.length) return []
  const added = await tx.insert(consents).values(values).returning({ id: consents.id })
  const ids = added.map(({ id }) => id)
  return (await loadConsents(tx, companyId, [participantId])).filter(({ id }) => ids.includes(id))
}

/** Records consent events at the end of the transaction, since other events of the company wait from then on. */
export const recordConsentEvents = (tx: Db, companyId: number, what: 'given' | 'withdrawn', all: Consent[]) =>
  recordEvents(
    tx,
    companyId,
    `consent.${what}`,
    all.map(({ id, participantId, purpose, expiresOn }) => ({
      object: id,
      data: { consentId: id, participantId, purpose, expiresOn },
    })),
  )

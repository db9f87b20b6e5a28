import type { BulkAction, BulkLine } from '@voisol/contract/bulk'
import type { Db } from '../../../../db/client.ts'
import type { Deps } from '../../../../deps.ts'
import { formatFrenchDay } from '../../../../french.ts'
import type { Actor } from '../../../../http/actor.ts'
import { toParisDay } from '../../../../today.ts'
import { giveConsent, loadConsents, type RequestedParticipantIds, requestConsent } from '../../consents/consents.ts'
import { inviteParticipant } from '../invitation.ts'
import { tryInSavepoint } from './attempt.ts'
import type { SelectedParticipant } from './chosen-people.ts'

export type BulkWorkContext = { tx: Db; actor: Actor; post: Pick<Deps, 'secrets' | 'config'>; ip: string }
/** Collected because their events are recorded last. */
export type GivenConsents = Awaited<ReturnType<typeof giveConsent>>['consent'][]
export type BulkActionOfKind<K extends BulkAction['kind']> = Extract<BulkAction, { kind: K }>

export const toBulkLine = ({ row }: SelectedParticipant, outcome: BulkLine['outcome'], message: string): BulkLine => ({
  id: row.id,
  label: row.name,
  outcome,
  message,
})

const PORTAL_STATE_MESSAGES = {
  active: 'A déjà accès au portail.',
  invited: 'Déjà invité\u00a0: rien n’est renvoyé.',
} as const

/** Skips people who were invited already. */
export async function inviteOne({ tx, actor, post }: BulkWorkContext, person: SelectedParticipant): Promise<BulkLine> {
  const stateMessage =
    person.portal === 'active' || person.portal === 'invited' ? PORTAL_STATE_MESSAGES[person.portal] : null
  if (stateMessage) return toBulkLine(person, 'unchanged', stateMessage)
  const refused = await tryInSavepoint(tx, () => inviteParticipant(tx, post, actor, person.row.id))
  return refused
    ? toBulkLine(person, 'refused', refused.message)
    : toBulkLine(person, 'done', `Invitation à ${person.row.email}.`)
}

/** By mail, and in the portal if they have an account. */
export async function requestConsentOfOne(
  { tx, actor }: BulkWorkContext,
  person: SelectedParticipant,
  requestedIds: RequestedParticipantIds,
): Promise<BulkLine> {
  if (!person.row.email && person.portal !== 'active')
    return toBulkLine(person, 'refused', 'Aucune adresse e-mail\u00a0: demandez son accord sur papier.')
  const refusalReason = await requestConsent(tx, actor.companyId, person.row.id, requestedIds)
  return refusalReason
    ? toBulkLine(person, 'unchanged', refusalReason)
    : toBulkLine(person, 'done', 'Demande par e-mail.')
}

/** The same paper recorded twice is one consent. */
export async function recordConsentOfOne(
  { tx, actor, ip }: BulkWorkContext,
  person: SelectedParticipant,
  { kind: _, ...consentInput }: BulkActionOfKind<'consent'>,
  givenConsents: GivenConsents,
) {
  const [last] = (await loadConsents(tx, actor.companyId, [person.row.id])).filter(
    ({ purpose }) => purpose === consentInput.purpose,
  )
  const isSame =
    last?.state !== 'withdrawn' &&
    last?.textVersion === consentInput.textVersion &&
    last.expiresOn === consentInput.expiresOn &&
    toParisDay(last.givenAt) === consentInput.givenOn
  if (isSame) return toBulkLine(person, 'unchanged', 'Déjà enregistré.')
  const draft = { ...consentInput, method: 'paper' as const }
  const refused = await tryInSavepoint(tx, async () =>
    givenConsents.push((await giveConsent(tx, actor, person.row.id, draft, ip)).consent),
  )
  return refused
    ? toBulkLine(person, 'refused', refused.message)
    : toBulkLine(person, 'done', `Consentement jusqu’au ${formatFrenchDay(consentInput.expiresOn)}.`)
}

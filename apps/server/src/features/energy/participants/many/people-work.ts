import type { BulkAction, BulkLine } from '@voisol/contract/bulk'
import type { Db } from '../../../../db/client.ts'
import type { Deps } from '../../../../deps.ts'
import { frenchDay } from '../../../../french.ts'
import type { Actor } from '../../../../http/actor.ts'
import { dayOf } from '../../../../today.ts'
import { type Asked, askConsent, consentsOf, giveConsent } from '../../consents/consents.ts'
import { inviteParticipant } from '../invitation.ts'
import { attempt } from './attempt.ts'
import type { Chosen } from './chosen-people.ts'

export type Work = { tx: Db; actor: Actor; post: Pick<Deps, 'secrets' | 'config'>; ip: string }
/** Kept until all is done, since it is told last. */
export type Given = Awaited<ReturnType<typeof giveConsent>>['consent'][]
export type Of<K extends BulkAction['kind']> = Extract<BulkAction, { kind: K }>

export const line = ({ row }: Chosen, outcome: BulkLine['outcome'], message: string): BulkLine => ({
  id: row.id,
  label: row.name,
  outcome,
  message,
})

const STANDS = {
  active: 'A déjà accès au portail.',
  invited: 'Déjà invité\u00a0: rien n’est renvoyé.',
} as const

/** Nobody is written to twice: who was invited already is left alone. */
export async function invite({ tx, actor, post }: Work, person: Chosen): Promise<BulkLine> {
  const stands = person.portal === 'active' || person.portal === 'invited' ? STANDS[person.portal] : null
  if (stands) return line(person, 'unchanged', stands)
  const refused = await attempt(tx, () => inviteParticipant(tx, post, actor, person.row.id))
  return refused ? line(person, 'refused', refused.message) : line(person, 'done', `Invitation à ${person.row.email}.`)
}

/** By mail, and in their space where they have one. */
export async function ask({ tx, actor }: Work, person: Chosen, asked: Asked): Promise<BulkLine> {
  if (!person.row.email && person.portal !== 'active')
    return line(person, 'refused', 'Aucune adresse e-mail\u00a0: demandez son accord sur papier.')
  const stands = await askConsent(tx, actor.companyId, person.row.id, asked)
  return stands ? line(person, 'unchanged', stands) : line(person, 'done', 'Demande par e-mail.')
}

/** The same paper recorded twice is one consent. */
export async function consent(
  { tx, actor, ip }: Work,
  person: Chosen,
  { kind: _, ...paper }: Of<'consent'>,
  given: Given,
) {
  const [last] = (await consentsOf(tx, actor.companyId, [person.row.id])).filter(
    ({ purpose }) => purpose === paper.purpose,
  )
  const isSame =
    last?.state !== 'withdrawn' &&
    last?.textVersion === paper.textVersion &&
    last.expiresOn === paper.expiresOn &&
    dayOf(last.givenAt) === paper.givenOn
  if (isSame) return line(person, 'unchanged', 'Déjà enregistré.')
  const draft = { ...paper, method: 'paper' as const }
  const refused = await attempt(tx, async () =>
    given.push((await giveConsent(tx, actor, person.row.id, draft, ip)).consent),
  )
  return refused
    ? line(person, 'refused', refused.message)
    : line(person, 'done', `Consentement jusqu’au ${frenchDay(paper.expiresOn)}.`)
}

import { luhnHolds } from '@voisol/contract/party-numbers'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { TILLEULS } from '../../../world/ids.ts'
import { saveLots } from '../../money/lots/lots.ts'
import { addGroup, saveBuyer } from '../../money/parties/parties.ts'

const TOWN = 'Ville de Lyon, services de proximité'
const PLAIN = {
  legalName: '',
  jointHolders: [],
  siret: '',
  vatNumber: '',
  serviceCode: '',
  engagement: '',
  address: '',
  postalCode: '',
  city: '',
  country: 'FR',
  email: '',
  groupId: null,
  acciseClass: '',
  version: 0,
}

type Person = { id: string; name: string; lastName: string; siren: string }

/** A place of business of a company, with its own key. */
const siretOf = (siren: string) => {
  for (let last = 0; last < 10; last++) if (luhnHolds(`${siren}0001${last}`)) return `${siren}0001${last}`
  throw new Error(`no place of business of ${siren}`)
}

/** Those who live in the Tilleuls now, by their names; nobody of them has an account, so that no portal changes its words. */
async function neighbours(tx: Db, companyId: number): Promise<Person[]> {
  const { rows } = await tx.execute<Person>(sql`
    select p.id, p.name, p.last_name as "lastName", p.siren from participants p
     where p.company_id = ${companyId} and p.kind = 'person' and p.user_id is null and exists (
       select 1 from participations s where s.company_id = p.company_id and s.participant_id = p.id
          and s.operation_id = ${TILLEULS} and s.ends_on is null)
     order by p.name, p.id limit 2`)
  return rows
}

/** The lots of a co-ownership, a thousand shares in all but for the cellars. */
const LOTS = [
  ['1', 'Mme Garnier', 137],
  ['2', 'M. et Mme Delorme', 152],
  ['3', 'SCI du Quai', 211],
  ['4', 'Mme Aït-Kaci', 98],
  ['5', 'M. Fontaine', 143],
  ['6', 'Mme Rousset', 126],
  ['7', 'M. Lemaire', 118],
  ['Cave 1', 'SCI du Quai', 15],
] as const

async function fillLots(tx: Db, actor: Actor) {
  const { rows } = await tx.execute<{ id: string }>(sql`
    select p.id from participants p
     where p.company_id = ${actor.companyId} and p.name like 'Copropriété%' and exists (
       select 1 from participations s join points t on t.company_id = s.company_id and t.id = s.point_id
        where s.company_id = p.company_id and s.participant_id = p.id and t.direction = 'consumption')
     order by p.name, p.id limit 1`)
  const lots = LOTS.map(([number, holder, shares]) => ({ number, holder, shares }))
  if (rows[0]) await saveLots(tx, actor, rows[0].id, { by: 'share', lots, version: 0 })
}

async function townOf(tx: Db, companyId: number): Promise<Person | undefined> {
  const { rows } = await tx.execute<Person>(sql`
    select p.id, p.name, p.last_name as "lastName", p.siren from participants p
     where p.company_id = ${companyId} and p.name = ${TOWN} order by p.id limit 1`)
  return rows[0]
}

/** A household of two, one at the social price, and a town that is invoiced through Chorus Pro. */
export async function fillBuyers(tx: Db, actor: Actor) {
  const { companyId } = actor
  const [couple, helped] = await neighbours(tx, companyId)
  const note = 'Décision du conseil de l’association\u00a0: l’énergie partagée leur est donnée.'
  const { id: groupId } = await addGroup(tx, actor, { name: 'Tarif social', note })
  const person = { ...PLAIN, kind: 'person', delivery: 'mail' } as const
  if (couple) await saveBuyer(tx, actor, couple.id, { ...person, jointHolders: [`Noé ${couple.lastName}`] })
  if (helped) await saveBuyer(tx, actor, helped.id, { ...person, groupId })
  await fillLots(tx, actor)
  const town = await townOf(tx, companyId)
  if (!town) return
  const order = { serviceCode: 'SERV-PROX-07', engagement: 'EJ-2026-004817', siret: siretOf(town.siren) }
  await saveBuyer(tx, actor, town.id, { ...PLAIN, ...order, kind: 'public', delivery: 'chorus' })
}

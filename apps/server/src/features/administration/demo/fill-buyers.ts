import { isLuhnValid } from '@voisol/contract/party-numbers'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import type { Actor } from '../../../http/actor.ts'
import { TILLEULS_ID } from '../../../world/ids.ts'
import { saveLotSpread } from '../../money/lots/lots.ts'
import { addBuyerGroup, saveBuyer } from '../../money/parties/parties.ts'

const TOWN_NAME = 'Ville de Lyon, services de proximité'
const DEFAULT_BUYER = {
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

/** Builds a SIRET, the number of an establishment of a company, with a valid check digit. */
const buildSiret = (siren: string) => {
  for (let last = 0; last < 10; last++) if (isLuhnValid(`${siren}0001${last}`)) return `${siren}0001${last}`
  throw new Error(`no place of business of ${siren}`)
}

/** Current members of the Tilleuls operation, by name, without those who have an account, so that no portal changes. */
async function listNeighbours(tx: Db, companyId: number): Promise<Person[]> {
  const { rows } = await tx.execute<Person>(sql`
    select p.id, p.name, p.last_name as "lastName", p.siren from participants p
     where p.company_id = ${companyId} and p.kind = 'person' and p.user_id is null and exists (
       select 1 from participations s where s.company_id = p.company_id and s.participant_id = p.id
          and s.operation_id = ${TILLEULS_ID} and s.ends_on is null)
     order by p.name, p.id limit 2`)
  return rows
}

/** The lots of a co-ownership: 1,000 shares in all, not counting the cellars. */
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
  if (rows[0]) await saveLotSpread(tx, actor, rows[0].id, { by: 'share', lots, version: 0 })
}

async function findTown(tx: Db, companyId: number): Promise<Person | undefined> {
  const { rows } = await tx.execute<Person>(sql`
    select p.id, p.name, p.last_name as "lastName", p.siren from participants p
     where p.company_id = ${companyId} and p.name = ${TOWN_NAME} order by p.id limit 1`)
  return rows[0]
}

/** Creates a household of two, a buyer at the social tariff and a town invoiced through Chorus Pro. */
export async function fillBuyers(tx: Db, actor: Actor) {
  const { companyId } = actor
  const [couple, helped] = await listNeighbours(tx, companyId)
  const note = 'Décision du conseil de l’association\u00a0: l’énergie partagée leur est donnée.'
  const { id: groupId } = await addBuyerGroup(tx, actor, { name: 'Tarif social', note })
  const person = { ...DEFAULT_BUYER, kind: 'person', delivery: 'mail' } as const
  if (couple) await saveBuyer(tx, actor, couple.id, { ...person, jointHolders: [`Noé ${couple.lastName}`] })
  if (helped) await saveBuyer(tx, actor, helped.id, { ...person, groupId })
  await fillLots(tx, actor)
  const town = await findTown(tx, companyId)
  if (!town) return
  const order = { serviceCode: 'SERV-PROX-07', engagement: 'EJ-2026-004817', siret: buildSiret(town.siren) }
  await saveBuyer(tx, actor, town.id, { ...DEFAULT_BUYER, ...order, kind: 'public', delivery: 'chorus' })
}

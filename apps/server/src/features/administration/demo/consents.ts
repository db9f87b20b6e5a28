import type { Consent } from '@voisol/contract/consents'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { noise } from '@voisol/energy/model/random'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { consents } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { Scale } from '../../../world/scale.ts'
import { currentText } from '../../energy/consents/consents.ts'

const YEARS = 3
/** Who has to be asked again soon, and who was never asked. */
const ENDING: Record<string, number> = {
  'luc.moreau@demo.voisol.fr': 26,
  'contact.pharmacie-du-marche@demo.voisol.fr': 12,
  'contact.cycles-du-rhone@demo.voisol.fr': 41,
  'contact.copropriete-l-ecluse@demo.voisol.fr': 55,
}
const NEVER = 'contact.salon-meche-rebelle@demo.voisol.fr'
/** The rest is a free choice, which some make. */
const CHOICES: [Consent['purpose'], number][] = [
  ['analysis', 0.7],
  ['comparison', 0.55],
  ['advice', 0.4],
]

type Member = { id: string; email: string; name: string; kind: string; account: boolean; first: string }

const membersOf = async (tx: Db, companyId: number): Promise<Member[]> => {
  const { rows } = await tx.execute<Member>(sql`
    select p.id, p.email, p.name, p.kind, p.user_id is not null as account, min(s.starts_on)::text as first
      from participants p join participations s on s.company_id = p.company_id and s.participant_id = p.id
     where p.company_id = ${companyId} and s.agreement_signed_on is not null group by p.company_id, p.id order by p.name, p.id`)
  return rows
}

export async function giveConsents(tx: Db, actor: Actor, { anchor }: Scale) {
  const members = await membersOf(tx, actor.companyId)
  const rows = members
    .filter(({ email }) => email !== NEVER)
    .flatMap((member) => purposesOf(member).map((purpose) => consentOf(actor, member, purpose, anchor)))
  if (rows.length) await tx.insert(consents).values(rows)
}

function purposesOf({ name, kind, account }: Member): Consent['purpose'][] {
  const free = kind === 'person' ? CHOICES : []
  return [
    'collection',
    ...free.filter(([purpose, part]) => account || noise(`${name} ${purpose}`) < part).map(([p]) => p),
  ]
}

function consentOf(actor: Actor, { id, email, account, first }: Member, purpose: Consent['purpose'], anchor: string) {
  const givenOn = addDays(first < anchor ? first : anchor, -20)
  const ending = purpose === 'collection' ? ENDING[email] : undefined
  return {
    companyId: actor.companyId,
    participantId: id,
    purpose,
    textVersion: currentText(purpose)?.version ?? '',
    method: account ? 'portal' : 'paper',
    givenAt: new Date(`${givenOn}T09:30:00Z`),
    createdAt: new Date(`${givenOn}T09:30:00Z`),
    expiresOn: ending === undefined ? addMonths(givenOn, 12 * YEARS) : addDays(anchor, ending),
    recordedBy: account ? email : actor.email,
  }
}

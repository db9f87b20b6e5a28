import type { Consent } from '@voisol/contract/consents'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { drawNoise } from '@voisol/energy/model/random'
import { sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { consents } from '../../../db/schema/index.ts'
import type { Actor } from '../../../http/actor.ts'
import type { DemoScale } from '../../../world/scale.ts'
import { getCurrentConsentText } from '../../energy/consents/consents.ts'

const CONSENT_YEARS = 3
/** Some consents are about to expire, and some participants were never asked. */
const DAYS_BEFORE_EXPIRY: Record<string, number> = {
  'luc.moreau@demo.voisol.fr': 26,
  'contact.pharmacie-du-marche@demo.voisol.fr': 12,
  'contact.cycles-du-rhone@demo.voisol.fr': 41,
  'contact.copropriete-l-ecluse@demo.voisol.fr': 55,
}
const NEVER_ASKED = 'contact.salon-meche-rebelle@demo.voisol.fr'
/** Optional consents, which only some participants gave. */
const OPTIONAL_PURPOSES: [Consent['purpose'], number][] = [
  ['analysis', 0.7],
  ['comparison', 0.55],
  ['advice', 0.4],
]

type Member = { id: string; email: string; name: string; kind: string; account: boolean; first: string }

const listMembers = async (tx: Db, companyId: number): Promise<Member[]> => {
  const { rows } = await tx.execute<Member>(sql`
    select p.id, p.email, p.name, p.kind, p.user_id is not null as account, min(s.starts_on)::text as first
      from participants p join participations s on s.company_id = p.company_id and s.participant_id = p.id
     where p.company_id = ${companyId} and s.agreement_signed_on is not null group by p.company_id, p.id order by p.name, p.id`)
  return rows
}

export async function insertDemoConsents(tx: Db, actor: Actor, { anchor }: DemoScale) {
  const members = await listMembers(tx, actor.companyId)
  const rows = members
    .filter(({ email }) => email !== NEVER_ASKED)
    .flatMap((member) => choosePurposes(member).map((purpose) => toConsentRow(actor, member, purpose, anchor)))
  if (rows.length) await tx.insert(consents).values(rows)
}

function choosePurposes({ name, kind, account }: Member): Consent['purpose'][] {
  const free = kind === 'person' ? OPTIONAL_PURPOSES : []
  return [
    'collection',
    ...free.filter(([purpose, part]) => account || drawNoise(`${name} ${purpose}`) < part).map(([p]) => p),
  ]
}

function toConsentRow(
  actor: Actor,
  { id, email, account, first }: Member,
  purpose: Consent['purpose'],
  anchor: string,
) {
  const givenOn = addDays(first < anchor ? first : anchor, -20)
  const ending = purpose === 'collection' ? DAYS_BEFORE_EXPIRY[email] : undefined
  return {
    companyId: actor.companyId,
    participantId: id,
    purpose,
    textVersion: getCurrentConsentText(purpose)?.version ?? '',
    method: account ? 'portal' : 'paper',
    givenAt: new Date(`${givenOn}T09:30:00Z`),
    createdAt: new Date(`${givenOn}T09:30:00Z`),
    expiresOn: ending === undefined ? addMonths(givenOn, 12 * CONSENT_YEARS) : addDays(anchor, ending),
    recordedBy: account ? email : actor.email,
  }
}

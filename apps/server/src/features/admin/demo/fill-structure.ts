import type { BookingStatus } from '@voisol/contract/bookings'
import type { Consent } from '@voisol/contract/consents'
import { ParticipantLine } from '@voisol/contract/participants'
import type { RequestKind, RequestStatus } from '@voisol/contract/requests'
import { addDays, addMonths } from '@voisol/energy/calendar'
import { drawNoise } from '@voisol/energy/model/random'
import type { DemoScale, KeyPlan, OperationPlan } from '@voisol/simulator/demo/blueprint'
import { toDemoUuid } from '@voisol/simulator/demo/identities'
import { buildDemoOperations } from '@voisol/simulator/demo/plan'
import { sql } from 'drizzle-orm'
import { loadSiteOwnerId } from '../../../core/site-owner.ts'
import { type Db, transaction } from '../../../db/client.ts'
import { bookings, consents, operations, points } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import { adoptKey, createKey } from '../../energy/allocation-keys/index.ts'
import { getCurrentConsentText } from '../../energy/consents/index.ts'
import { enrolParticipants, lockEnrolments } from '../../energy/participants/index.ts'
import { generateBookingReference, getSlotStart, isWorkingDay } from '../../site/bookings/index.ts'
import { storeRequest } from '../../site/requests/index.ts'
import { buildProjects } from './demo-projects.ts'
import { writeDemoAudit } from './journal.ts'

export const getDemoPointId = (ref: string, direction: string) => toDemoUuid(`point ${ref} ${direction}`)

/** Creates operations, people, points, keys, consents and projects in one transaction. */
export const buildStructure = ({ db, secrets, compute }: Deps, actor: Actor, scale: DemoScale) =>
  transaction(db, async (tx) => {
    await lockEnrolments(tx, actor.companyId)
    const plans = buildDemoOperations(scale)
    for (const plan of plans) await buildOperation(tx, actor, plan, scale)
    await linkAccounts(tx, actor.companyId)
    await setNoticeDates(tx, actor.companyId, scale.anchor)
    await insertDemoConsents(tx, actor, scale)
    await addTagsAndPrecision(tx, actor.companyId)
    if (scale.whole) await buildProjects({ db: tx, compute }, actor, scale.anchor)
    if (scale.whole) await addVisitors(tx, actor.companyId, scale.anchor)
    // Written last, because it locks the audit log of the company until the end of the transaction.
    await writeDemoAudit(tx, secrets, actor, plans)
  })

const toNoon = (day: string) =>
  new Date(
    Temporal.PlainDate.from(day).toZonedDateTime({ timeZone: 'Europe/Paris', plainTime: '12:00' }).epochMilliseconds,
  )

async function buildOperation(
  tx: Db,
  actor: Actor,
  { values, lines, meters, keys }: OperationPlan,
  { anchor }: DemoScale,
) {
  const { companyId } = actor
  // The day of creation is the reference for all later dates of the operation.
  await tx.insert(operations).values({ ...values, companyId, createdAt: toNoon(anchor) })
  // Points are inserted first, so that they have the same ids wherever the demo is built.
  const rows = meters.map(({ ref, prm, direction, source }) => ({
    companyId,
    id: getDemoPointId(ref, direction),
    prm,
    direction,
    segment: direction === 'production' ? 'P4' : 'C5',
    storage: 'storage' in source,
  }))
  await tx.insert(points).values(rows)
  const first = values.startsOn ?? anchor
  await enrolParticipants(
    tx,
    actor,
    values.id,
    lines.map((line) => ParticipantLine.parse(line)),
    first,
  )
  for (const key of keys) await addKey(tx, actor, values.id, key)
}

async function addKey(tx: Db, actor: Actor, operationId: string, { shares, ...key }: KeyPlan) {
  const named = shares.map(({ ref, producer, share = null, rank = null }) => ({
    pointId: getDemoPointId(ref, 'consumption'),
    share,
    rank,
    producerId: producer ? getDemoPointId(producer, 'production') : null,
  }))
  const id = await createKey(tx, actor, operationId, { ...key, decimals: 1, shares: named })
  await adoptKey(tx, actor, id, { version: 1 })
}

/** Gives each user account access to the portal of its participant. */
const linkAccounts = (tx: Db, companyId: number) =>
  tx.execute(sql`
    update participants p set user_id = u.id
      from users u join memberships m on m.user_id = u.id and m.company_id = ${companyId} and m.role = 'client'
     where p.company_id = ${companyId} and lower(p.email) = lower(u.email) and p.user_id is null`)

const NOTICE_DAYS = 15

const setNoticeDates = (tx: Db, companyId: number, anchor: string) =>
  tx.execute(sql`
    update participations set notice_on = starts_on - ${NOTICE_DAYS}::int
     where company_id = ${companyId} and agreement_signed_on is not null and starts_on <= ${anchor}`)

/** What a manager adds by hand: tags on participants, and one address known by its commune only. */
async function addTagsAndPrecision(tx: Db, companyId: number) {
  await tx.execute(sql`
    update participants p set tags = array_remove(array[
        case when p.kind = 'organisation' then 'professionnel' end,
        case when exists (select 1 from participations s where s.company_id = p.company_id
          and s.participant_id = p.id and s.agreement_signed_on is null) then 'à rappeler' end], null)
     where p.company_id = ${companyId}`)
  await tx.execute(sql`
    update points set precision = 'commune'
     where company_id = ${companyId} and id = ${getDemoPointId('vignes 4', 'consumption')}`)
}

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

async function insertDemoConsents(tx: Db, actor: Actor, { anchor }: DemoScale) {
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

type Visitor = { firstName: string; lastName: string; email: string; company: string }
const toVisitor = (firstName: string, lastName: string, email: string, company: string): Visitor => ({
  firstName,
  lastName,
  email,
  company,
})
const MARTINEZ = toVisitor('Hélène', 'Martinez', 'h.martinez@syndic-rive-gauche.example', 'Syndic Rive Gauche')
const BENALI = toVisitor('Karim', 'Benali', 'k.benali@mairie-des-coteaux.example', 'Mairie des Coteaux')
const LEFEBVRE = toVisitor('Agathe', 'Lefebvre', 'agathe.lefebvre@bois-et-metal.example', 'Bois & Métal')
const NGUYEN = toVisitor('Minh', 'Nguyen', 'minh.nguyen@bailleur-du-lac.example', 'Bailleur du Lac')

/** Working days before (negative) or after the day the demo was built. */
const DEMO_BOOKINGS: [number, string, BookingStatus, Visitor, string, string][] = [
  [-4, '10:00', 'done', NGUYEN, 'Autre', 'Deux résidences de 60 logements, toitures plates.'],
  [-2, '15:30', 'no-show', LEFEBVRE, 'Site industriel', ''],
  [2, '09:30', 'confirmed', BENALI, 'Collectivité locale', 'L’école et la mairie sont à 400 m l’une de l’autre.'],
  [
    2,
    '14:00',
    'booked',
    MARTINEZ,
    'Copropriété résidentielle',
    'Assemblée générale en mars\u00a0: que faut-il voter\u00a0?',
  ],
  [4, '11:00', 'booked', LEFEBVRE, 'Site industriel', 'Nouvelle date après notre rendez-vous manqué.'],
]
const DEMO_REQUESTS: [number, RequestKind, RequestStatus, Visitor, string, string][] = [
  [
    1,
    'contact',
    'new',
    BENALI,
    'Parler d’un projet',
    'Bonjour, nous cherchons un accompagnement pour trois bâtiments.',
  ],
  [2, 'white-paper', 'closed', MARTINEZ, 'Choisir sa clé de répartition', ''],
  [3, 'webinar', 'closed', NGUYEN, 'Des données fiables, de la mesure au partage', ''],
  [
    6,
    'contact',
    'answered',
    LEFEBVRE,
    'Les tarifs et l’offre Enterprise',
    'Combien pour 12 sites et 300 points\u00a0?',
  ],
]

/** Adds a number of working days, possibly negative, to a date. */
function addWorkingDays(from: string, away: number): string {
  const step = Math.sign(away)
  let [day, left] = [from, Math.abs(away)]
  while (left > 0) {
    day = addDays(day, step)
    if (isWorkingDay(day)) left -= 1
  }
  return day
}

/**
 * Adds bookings and requests of site visitors, so that the site's lists are not empty; the demo company owns the site.
 */
async function addVisitors(tx: Db, companyId: number, anchor: string): Promise<void> {
  if (companyId !== (await loadSiteOwnerId(tx))) return
  for (const [away, time, status, visitor, projectType, message] of DEMO_BOOKINGS) {
    const day = addWorkingDays(anchor, away)
    const startsAt = new Date(getSlotStart(day, time).epochMilliseconds)
    const meetingUrl = status === 'confirmed' ? 'https://visio.voisol.fr/demonstration' : ''
    const values = { companyId, status, startsAt, day, time, phone: '', projectType, message, meetingUrl, ...visitor }
    await tx
      .insert(bookings)
      .values({ ...values, reference: generateBookingReference() })
      .onConflictDoNothing()
  }
  for (const [ago, kind, status, visitor, subject, message] of DEMO_REQUESTS) {
    const createdAt = new Date(getSlotStart(addDays(anchor, -ago), '10:12').epochMilliseconds)
    await storeRequest(tx, { kind, status, subject, message, createdAt, ...visitor }, ['demo'])
  }
}

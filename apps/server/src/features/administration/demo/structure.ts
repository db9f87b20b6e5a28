import { ParticipantLine } from '@voisol/contract/participants'
import { sql } from 'drizzle-orm'
import { type Db, transaction } from '../../../db/client.ts'
import { operations, points } from '../../../db/schema/index.ts'
import type { Deps } from '../../../deps.ts'
import type { Actor } from '../../../http/actor.ts'
import type { KeyPlan, OperationPlan } from '../../../world/blueprint.ts'
import { toDemoUuid } from '../../../world/numbers.ts'
import { buildDemoOperations } from '../../../world/plan.ts'
import type { DemoScale } from '../../../world/scale.ts'
import { adoptKey, createKey } from '../../energy/keys/keys.ts'
import { enrolParticipants, lockEnrolments } from '../../energy/participants/participants.ts'
import { insertDemoConsents } from './consents.ts'
import { writeDemoAudit } from './journal.ts'
import { buildProjects } from './projects.ts'
import { addVisitors } from './visitors.ts'

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

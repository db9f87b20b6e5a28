import type { ApplicationDetail } from '@voisol/contract/joining-desk'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import { frenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { participantScope } from '../../energy/participants/participants.ts'
import { operationOf } from './first-day.ts'
import type { ApplicationRow } from './life-cycle.ts'
import { reachOf } from './reach.ts'

type Remark = ApplicationDetail['remarks'][number]

/** A meter is in one operation at a time: whose it is otherwise is not told to those who may not know. */
async function heldRemark(db: Db, actor: Actor, { companyId, prm }: ApplicationRow, on: string): Promise<Remark[]> {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select o.id, o.name from participations p
      join points d on d.company_id = p.company_id and d.id = p.point_id
      join operations o on o.company_id = p.company_id and o.id = p.operation_id
     where p.company_id = ${companyId} and d.prm = ${prm} and d.direction = 'consumption'
       and (p.ends_on is null or p.ends_on > ${on}) limit 1`)
  const [held] = rows
  if (!held) return []
  const seen = !actor.operationIds || actor.operationIds.includes(held.id)
  const where = seen ? `«\u00a0${held.name}\u00a0»` : 'une autre opération'
  return [
    {
      severity: 'refused',
      message: `Ce point prend déjà part à ${where} le ${frenchDay(on)}\u00a0: un point n’est que dans une opération à la fois.`,
    },
  ]
}

async function knownRemark(db: Db, actor: Actor, { email }: ApplicationRow): Promise<Remark[]> {
  const [known] = await db
    .select({ name: participants.name })
    .from(participants)
    .where(and(participantScope(actor), eq(participants.email, email)))
    .limit(1)
  return known
    ? [
        {
          severity: 'warning',
          message: `Cette adresse e-mail est celle de ${known.name}\u00a0: le point lui sera ajouté.`,
        },
      ]
    : []
}

/** What the organiser should know before deciding. */
export async function remarksOn(db: Db, actor: Actor, row: ApplicationRow, on: string): Promise<Remark[]> {
  if (row.kind !== 'join')
    return row.wantedOn && row.wantedOn < on
      ? [
          {
            severity: 'warning',
            message: `Le jour demandé, ${frenchDay(row.wantedOn)}, est trop proche pour prévenir le gestionnaire de réseau.`,
          },
        ]
      : []
  const reach = await reachOf(db, await operationOf(db, row), row)
  return [
    ...(await heldRemark(db, actor, row, on)),
    ...(reach ? [{ severity: reach.verdict, message: reach.message }] : []),
    ...(await knownRemark(db, actor, row)),
  ]
}

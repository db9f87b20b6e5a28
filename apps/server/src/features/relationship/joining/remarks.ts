import type { ApplicationDetail } from '@voisol/contract/joining-desk'
import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { participants } from '../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { participantScope } from '../../energy/participants/participants.ts'
import { loadApplicationOperation } from './first-day.ts'
import type { ApplicationRow } from './life-cycle.ts'
import { checkJoinPerimeter } from './reach.ts'

type Remark = ApplicationDetail['remarks'][number]

/** A meter can be in one operation at a time; its other operation is named only to users with access to it. */
async function checkPointInUse(
  db: Db,
  actor: Actor,
  { companyId, prm }: ApplicationRow,
  on: string,
): Promise<Remark[]> {
  const { rows } = await db.execute<{ id: string; name: string }>(sql`
    select o.id, o.name from participations p
      join points d on d.company_id = p.company_id and d.id = p.point_id
      join operations o on o.company_id = p.company_id and o.id = p.operation_id
     where p.company_id = ${companyId} and d.prm = ${prm} and d.direction = 'consumption'
       and (p.ends_on is null or p.ends_on > ${on}) limit 1`)
  const [otherOperation] = rows
  if (!otherOperation) return []
  const seen = !actor.operationIds || actor.operationIds.includes(otherOperation.id)
  const where = seen ? `«\u00a0${otherOperation.name}\u00a0»` : 'une autre opération'
  return [
    {
      severity: 'refused',
      message: `Ce point prend déjà part à ${where} le ${formatFrenchDay(on)}\u00a0: un point n’est que dans une opération à la fois.`,
    },
  ]
}

async function checkKnownEmail(db: Db, actor: Actor, { email }: ApplicationRow): Promise<Remark[]> {
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

/** Facts that the organiser should know before deciding. */
export async function listRemarks(db: Db, actor: Actor, row: ApplicationRow, on: string): Promise<Remark[]> {
  if (row.kind !== 'join')
    return row.wantedOn && row.wantedOn < on
      ? [
          {
            severity: 'warning',
            message: `Le jour demandé, ${formatFrenchDay(row.wantedOn)}, est trop proche pour prévenir le gestionnaire de réseau.`,
          },
        ]
      : []
  const reach = await checkJoinPerimeter(db, await loadApplicationOperation(db, row), row)
  return [
    ...(await checkPointInUse(db, actor, row, on)),
    ...(reach ? [{ severity: reach.verdict, message: reach.message }] : []),
    ...(await checkKnownEmail(db, actor, row)),
  ]
}

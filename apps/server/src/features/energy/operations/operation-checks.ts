import type { Operation, OperationOverview } from '@voisol/contract/operations'
import { findFarthestPoints, findPerimeterProblems, getPerimeterVerdict, isExactPlace } from '@voisol/energy/perimeter'
import { and, eq, min, ne, sql } from 'drizzle-orm'
import type { z } from 'zod'
import { pointNameSql } from '../../../core/point-names.ts'
import type { Db } from '../../../db/client.ts'
import { operations, participations } from '../../../db/schema/index.ts'
import { formatFrenchDay } from '../../../french.ts'
import type { Actor } from '../../../http/actor.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'

type StartAndEnd = { startsOn?: string | null | undefined; endsOn?: string | null | undefined }

export function requireDatesInOrder({ startsOn, endsOn }: StartAndEnd) {
  if (startsOn && endsOn && endsOn <= startsOn)
    throw fieldError('endsOn', `La fin doit suivre le début, le ${formatFrenchDay(startsOn)}.`)
}

/** Operation numbers are checked one at a time per company, so that two requests cannot take the same one. */
export async function requireUnusedAccNumber(tx: Db, actor: Actor, accNumber: string, except?: string) {
  await tx.execute(sql`select pg_advisory_xact_lock(hashtext('operations.acc_number'), ${actor.companyId})`)
  const [other] = await tx
    .select({ name: operations.name })
    .from(operations)
    .where(
      and(
        eq(operations.companyId, actor.companyId),
        eq(operations.accNumber, accNumber),
        except ? ne(operations.id, except) : undefined,
      ),
    )
  if (other)
    throw fieldError(
      'accNumber',
      `Le numéro ${accNumber} est déjà celui de l’opération «\u00a0${other.name}\u00a0».`,
      'conflict',
    )
}

export function requireAccNumberRemovable({ status }: Operation) {
  if (status === 'active' || status === 'suspended')
    throw fieldError('accNumber', 'Une opération en service garde son numéro\u00a0: remplacez-le, sans l’effacer.')
}

/** Refuses a participation that begins before its operation. */
export async function requireNoParticipationBefore(tx: Db, actor: Actor, operationId: string, startsOn: string) {
  const [row] = await tx
    .select({ first: min(participations.startsOn) })
    .from(participations)
    .where(and(eq(participations.companyId, actor.companyId), eq(participations.operationId, operationId)))
  if (row?.first && row.first < startsOn)
    throw fieldError(
      'startsOn',
      `Un point participe dès le ${formatFrenchDay(row.first)}\u00a0: l’opération ne peut pas commencer après ce jour.`,
    )
}

type OperationPlace = z.infer<typeof OperationOverview>['places'][number] & { commune: string | null }

const isPlaced = ({ latitude, longitude }: OperationPlace) => Number.isFinite(latitude + longitude)
/** Without coordinates, a place is only known by the holder's commune. */
const getCommunePrecision = (place: OperationPlace): Partial<OperationPlace> =>
  !isPlaced(place) && place.commune ? { precision: 'commune' } : {}

/** Points with a current or future participation; unknown coordinates are NaN. */
async function loadPlaces(db: Db, companyId: number, operationId: string): Promise<OperationPlace[]> {
  const { rows } = await db.execute<OperationPlace & { storage: boolean }>(sql`
    select distinct on (d.id) d.id, nullif(h.city, '') as commune, ${pointNameSql(sql`d.label`, sql`h.name`)} as label, d.direction, d.storage, d.precision, d.version,
           coalesce(d.latitude, 'NaN') as latitude, coalesce(d.longitude, 'NaN') as longitude
      from participations p
      join points d on d.company_id = p.company_id and d.id = p.point_id
      join participants h on h.company_id = p.company_id and h.id = p.participant_id
     where p.company_id = ${companyId} and p.operation_id = ${operationId}
       and (p.ends_on is null or p.ends_on > ${getToday()}::date)
       -- A battery is one place, though it counts both ways: they are moved together.
       and not (d.storage and d.direction = 'production')
     order by d.id, p.starts_on`)
  return rows.map(({ storage, ...place }) => ({ ...place, ...getCommunePrecision(place), ...(storage && { storage }) }))
}

/** The extent of an operation, and the perimeter rules it breaks. */
export async function loadOperationExtent(db: Db, companyId: number, operation: Operation) {
  const points = await loadPlaces(db, companyId, operation.id)
  const { metres, pair } = findFarthestPoints(points.filter(isExactPlace))
  const { perimeter, zone, totalCapacity } = operation
  const findings = findPerimeterProblems({ perimeter, zone, points, watts: Math.round(totalCapacity * 1000) })
  return {
    places: points.filter(isPlaced),
    unplaced: points.filter((point) => !isPlaced(point)),
    verdict: getPerimeterVerdict(findings),
    spread: pair && { metres: Math.round(metres), from: pair[0].label, to: pair[1].label },
    findings,
  }
}

/** Refuses a declared power above the legal limit as soon as it is entered. */
export function requireAllowedPower(
  { perimeter, zone }: Pick<Operation, 'perimeter' | 'zone'>,
  watts: number,
  path: string,
) {
  const refused = findPerimeterProblems({ perimeter, zone, points: [], watts }).find(
    ({ severity }) => severity === 'refused',
  )
  if (refused) throw fieldError(path, `${refused.message.replace(/\.$/, '')} (${refused.rule}).`)
}

import type { Operation, OperationOverview } from '@voisol/contract/operations'
import { findFarthestPoints, findPerimeterProblems, getPerimeterVerdict, isExactPlace } from '@voisol/energy/perimeter'
import { sql } from 'drizzle-orm'
import type { z } from 'zod'
import { pointNameSql } from '../../../core/point-label.ts'
import type { Db } from '../../../db/client.ts'
import { fieldError } from '../../../http/errors.ts'
import { getToday } from '../../../today.ts'

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

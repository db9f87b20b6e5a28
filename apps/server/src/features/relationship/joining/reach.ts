import { computeDistanceMetres, PERIMETER_RULES, type PerimeterKind } from '@voisol/energy/perimeter'
import { sql } from 'drizzle-orm'
import { findCommune } from '../../../core/communes.ts'
import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { formatFrenchNumber } from '../../../french.ts'
import { getToday } from '../../../today.ts'

type Location = { latitude: number; longitude: number }
type ApplicantPlace = { postalCode: string; city: string }

/** Only the centre of a commune is known: this close to the limit, the distance decides nothing. */
const COMMUNE_METRES = 20_000

async function listOperationLocations(
  db: Db,
  { companyId, id, latitude, longitude }: OperationRow,
): Promise<Location[]> {
  const { rows } = await db.execute<Location>(sql`
    select distinct d.latitude, d.longitude
      from participations p join points d on d.company_id = p.company_id and d.id = p.point_id
     where p.company_id = ${companyId} and p.operation_id = ${id} and (p.ends_on is null or p.ends_on > ${getToday()})
       and d.latitude is not null and d.longitude is not null and d.precision <> 'commune'`)
  if (rows.length) return rows
  return latitude === null || longitude === null ? [] : [{ latitude, longitude }]
}

export type JoinPerimeterVerdict = { verdict: 'refused' | 'warning'; message: string } | null

const formatKm = (metres: number) => `${formatFrenchNumber(Math.round(metres / 100) / 10)}\u00a0km`

/**
 * Checks the distance rule of the operation for a commune: no result without a rule or without locations, a doubt when
 * a part of the commune may be inside, a refusal when none can be.
 */
export async function checkJoinPerimeter(
  db: Db,
  operation: OperationRow,
  { postalCode, city }: ApplicantPlace,
): Promise<JoinPerimeterVerdict> {
  const { km: limit, label } = PERIMETER_RULES[operation.perimeter as PerimeterKind] // the contract lets nothing else in
  const commune = findCommune(postalCode, city)
  if (!commune || commune.latitude === null || commune.longitude === null)
    return { verdict: 'warning', message: 'Cette commune n’est pas connue\u00a0: la distance reste à vérifier.' }
  if (limit === null) return null
  const middle = { latitude: commune.latitude, longitude: commune.longitude }
  const distances = (await listOperationLocations(db, operation)).map((place) => computeDistanceMetres(place, middle))
  const farthest = Math.max(0, ...distances)
  if (farthest <= limit * 1000) return null
  const sentence = `Le milieu de ${commune.name} est à ${formatKm(farthest)} du point le plus éloigné de l’opération, qui admet ${limit}\u00a0km («\u00a0${label}\u00a0»)`
  if (farthest > limit * 1000 + COMMUNE_METRES)
    return { verdict: 'refused', message: `${sentence}\u00a0: c’est trop loin.` }
  return { verdict: 'warning', message: `${sentence}\u00a0: vérifiez l’adresse exacte.` }
}

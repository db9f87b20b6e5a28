import { distanceMetres, PERIMETERS, type Perimeter } from '@voisol/energy/perimeter'
import { sql } from 'drizzle-orm'
import { communeOf } from '../../../core/communes.ts'
import type { OperationRow } from '../../../core/operation.ts'
import type { Db } from '../../../db/client.ts'
import { frenchNumber } from '../../../french.ts'
import { today } from '../../../today.ts'

type Place = { latitude: number; longitude: number }
type Asker = { postalCode: string; city: string }

/** A commune is known by its middle alone: nearer than this to the limit, it decides nothing. */
const COMMUNE_METRES = 20_000

async function placesOf(db: Db, { companyId, id, latitude, longitude }: OperationRow): Promise<Place[]> {
  const { rows } = await db.execute<Place>(sql`
    select distinct d.latitude, d.longitude
      from participations p join points d on d.company_id = p.company_id and d.id = p.point_id
     where p.company_id = ${companyId} and p.operation_id = ${id} and (p.ends_on is null or p.ends_on > ${today()})
       and d.latitude is not null and d.longitude is not null and d.precision <> 'commune'`)
  if (rows.length) return rows
  return latitude === null || longitude === null ? [] : [{ latitude, longitude }]
}

export type Reach = { verdict: 'refused' | 'warning'; message: string } | null

const km = (metres: number) => `${frenchNumber(Math.round(metres / 100) / 10)}\u00a0km`

/**
 * What the operation's distance says of a commune: nothing where it lets anybody in or its places are not known, a
 * doubt where the commune may reach into it, and a refusal where no street of it can.
 */
export async function reachOf(db: Db, operation: OperationRow, { postalCode, city }: Asker): Promise<Reach> {
  const { km: limit, label } = PERIMETERS[operation.perimeter as Perimeter] // the contract lets nothing else in
  const commune = communeOf(postalCode, city)
  if (!commune || commune.latitude === null || commune.longitude === null)
    return { verdict: 'warning', message: 'Cette commune n’est pas connue\u00a0: la distance reste à vérifier.' }
  if (limit === null) return null
  const middle = { latitude: commune.latitude, longitude: commune.longitude }
  const distances = (await placesOf(db, operation)).map((place) => distanceMetres(place, middle))
  const farthest = Math.max(0, ...distances)
  if (farthest <= limit * 1000) return null
  const told = `Le milieu de ${commune.name} est à ${km(farthest)} du point le plus éloigné de l’opération, qui admet ${limit}\u00a0km («\u00a0${label}\u00a0»)`
  if (farthest > limit * 1000 + COMMUNE_METRES)
    return { verdict: 'refused', message: `${told}\u00a0: c’est trop loin.` }
  return { verdict: 'warning', message: `${told}\u00a0: vérifiez l’adresse exacte.` }
}

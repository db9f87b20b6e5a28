import { listDays, stepsOfDay } from '@voisol/energy/calendar'
import { sql } from 'drizzle-orm'
import type { PointDayReadings } from '../src/core/readings.ts'
import type { Db } from '../src/db/client.ts'
import { companies, operations, tariffs } from '../src/db/schema/index.ts'

export const FROM = '2025-06-01'

/** An operation of so many people, each with a meter, and of roofs with a seller each. */
export async function makeOperation(db: Db, consumers: number, producers: number) {
  const [company] = await db.insert(companies).values({ name: 'Mesure' }).returning()
  if (!company) throw new Error('no company to measure with')
  const companyId = company.id
  const [operation] = await db.insert(operations).values({ companyId, name: 'Mesure', status: 'active' }).returning()
  if (!operation) throw new Error('no operation to measure with')
  const { rows } = await db.execute<{ id: string; direction: string; prm: string }>(sql`
    with holder as (
      insert into participants (company_id, kind, name, phone, address, postal_code, city)
      select ${companyId}, 'person', 'Mesure ' || n, n::text, '1 rue', '69003', 'Lyon'
        from generate_series(1, ${consumers + producers}::int) n returning id, phone::int as n),
    point as (
      insert into points (company_id, prm, direction, segment)
      select ${companyId}, lpad(n::text, 14, '10000000000000'), case when n > ${consumers} then 'production' else 'consumption' end, 'C5'
        from generate_series(1, ${consumers + producers}::int) n returning id, direction, prm, right(prm, 6)::int as n),
    part as (
      insert into participations (company_id, operation_id, participant_id, point_id, starts_on)
      select ${companyId}, ${operation.id}, h.id, p.id, date '2025-01-01' from holder h join point p on p.n = h.n),
    seller as (
      insert into sellers (company_id, participant_id, name, prefix, siren, vat_number, address, postal_code, city)
      select ${companyId}, h.id, 'Toit ' || h.n, 'T' || h.n || '-', '552081317', 'FR03552081317', '1 rue', '69003', 'Lyon' from holder h where h.n > ${consumers} returning id),
    vat as (
      insert into seller_vat (company_id, seller_id, starts_on, mode, rate, created_by)
      select ${companyId}, id, '2020-01-01', 'standard', 2000, 'Mesure' from seller),
    mandate as (
      insert into billing_mandates (company_id, seller_id, starts_on, signed_on)
      select ${companyId}, id, '2020-01-01', '2020-01-01' from seller)
    select id, direction, prm from point`)
  const rules = [
    { id: 'base', price: 1019 },
    ...['HPB', 'HCB'].map((name, at) => ({ id: name, price: 1237 - at * 218, class: name })),
  ]
  const adopted = { number: 1, status: 'adopted', startsOn: '2025-01-01', rules }
  await db.insert(tariffs).values({ companyId, operationId: operation.id, ...adopted })
  return { companyId, operation, points: rows }
}
export type Operation = Awaited<ReturnType<typeof makeOperation>>

/** What a meter says at a step: a roof by day, a home of its own habits. */
export const wattsAt = (direction: string, p: number, d: number, at: number) =>
  direction === 'production'
    ? Math.max(0, 120_000 - (at - 48) ** 2 * 120 - d * 900)
    : (p * 7919 + d * 104_729 + at * 31) % 1800

export const makeRows = ({ points }: Operation, to: string): PointDayReadings[] =>
  points.flatMap(({ id: pointId, direction }, p) =>
    listDays(FROM, to).map((day, d) => {
      const watts = Int32Array.from({ length: stepsOfDay(day, 15) }, (_, at) => wattsAt(direction, p, d, at))
      return { pointId, day, step: 15, watts, marks: null, quality: 1 }
    }),
  )

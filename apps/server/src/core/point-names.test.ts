import { formatDwellingName } from '@voisol/contract/points'
import { sql } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { makeUser } from '../../test/factories.ts'
import { makeMeter, makeOperation } from '../../test/factories-energy.ts'
import { useServer } from '../../test/server.ts'
import { participants, participations } from '../db/schema/index.ts'
import { formatMemberName } from './operation-members.ts'
import { loadPointName, loadPointNames, pointLocationSql, pointNameSql } from './point-names.ts'

const server = useServer()

test('the database names a dwelling and its holder as the code does', async () => {
  const cases = [
    ['Appartement 301', 'Mme Durand'],
    ['', 'Mme Durand'],
    ['Appartement 301', ''],
    ['École', 'École'],
    ['', ''],
  ] as const
  for (const [label, holder] of cases) {
    const { rows } = await server.db.execute(
      sql`select ${pointNameSql(sql`${label}::text`, sql`nullif(${holder}::text, '')`)} as seat`,
    )
    expect(rows).toEqual([{ seat: formatDwellingName(label, holder) }])
  }
})

test('a dwelling is named with its holder on that day, else with the next one', async () => {
  const { companyId } = await makeUser(server.db)
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const held = { label: 'Appartement 301', startsOn: '2025-03-02', endsOn: '2026-02-11' }
  const { id: pointId } = await makeMeter(server.db, { companyId, operationId, ...held })
  const [next] = await server.db
    .insert(participants)
    .values({ companyId, kind: 'person', name: 'Paul Nguyen' })
    .returning()
  const after = { companyId, operationId, pointId, participantId: next?.id ?? '', startsOn: '2026-02-11' }
  await server.db.insert(participations).values(after)
  const on = async (day: string) => (await loadPointNames(server.db, companyId, day, [{ pointId }])).get(pointId)
  expect(await on('2025-03-01')).toBe('Appartement 301, Paul Nguyen')
  expect(await on('2026-02-10')).toMatch(/^Appartement 301, Voisin \d+$/)
  expect(await on('2026-02-11')).toBe('Appartement 301, Paul Nguyen')
})

test('a sentence names a point by its dwelling, its holder and its number, as the screens do', async () => {
  const { companyId } = await makeUser(server.db)
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const meter = { companyId, operationId, label: 'Appartement 301', prm: '19125759600537' }
  const { id } = await makeMeter(server.db, meter)
  const seat = (await loadPointNames(server.db, companyId, '2026-05-17', [{ pointId: id }])).get(id) ?? ''
  const [label = '', holder = ''] = seat.split(', ')
  expect(await loadPointName(server.db, companyId, id)).toBe(formatMemberName({ prm: meter.prm, label, holder }))
  expect(holder).not.toBe('')
  expect(await loadPointName(server.db, companyId + 1, id)).toBe('inconnu')
})

test('a document says once that a meter is a battery', async () => {
  const cases = [
    ['Préau', true, 'Préau (batterie)'],
    ['', true, 'Batterie'],
    ['Batterie du préau', true, 'Batterie du préau'],
    ['Préau', false, 'Préau'],
  ] as const
  for (const [label, storage, said] of cases) {
    const point = sql`(select ${label}::text as label, ${storage}::boolean as storage) p`
    const { rows } = await server.db.execute(sql`select ${pointLocationSql(sql`p`)} as place from ${point}`)
    expect(rows).toEqual([{ place: said }])
  }
})

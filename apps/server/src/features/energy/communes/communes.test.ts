import { communes as endpoints } from '@voisol/contract/communes'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { useServer } from '../../../../test/server.ts'
import { findCommune, normalizeCommuneName, searchCommunes } from '../../../core/communes.ts'

const server = useServer()
const names = (q: string) => searchCommunes(q).map(({ name }) => name)

test('ignores accents, case, hyphens and the abbreviation of Saint', () => {
  for (const q of ['saint-etienne', 'SAINT ETIENNE', 'St Étienne', 'st-etienne cedex 1'])
    expect(names(q)[0]).toBe('Saint-Étienne')
  expect(normalizeCommuneName('LYON 03')).toBe(normalizeCommuneName('Lyon 3e arrondissement'))
  expect(names('lyo')[0]).toBe('Lyon')
  expect(names('zzzz')).toEqual([])
})

test('finds several communes for a postal code, and several codes for a commune', () => {
  expect(names('01300').length).toBeGreaterThan(10)
  expect(names('01300')).toContain('Belley')
  expect(searchCommunes('Lyon')[0]?.postalCodes).toContain('69007')
  expect(searchCommunes('69')).toHaveLength(20)
})

test('finds one commune by code and name together, and none when ambiguous', () => {
  expect(findCommune('69007', 'LYON')).toMatchObject({ code: '69123', name: 'Lyon' })
  expect(findCommune('69007', 'lyon 7e')).toMatchObject({ code: '69123' })
  expect(findCommune('69007', '')).toMatchObject({ code: '69123' })
  expect(findCommune('01300', '')).toBeNull()
  expect(findCommune('75001', 'Lyon')).toBeNull()
  expect(findCommune(undefined, 'Lyon')).toBeNull()
})

test('requires a signed-in user', async () => {
  const user = await makeUser(server.db)
  const { body } = await call(server, endpoints.search, { query: { q: '69007' } }, user)
  expect(body.items).toEqual([expect.objectContaining({ name: 'Lyon', latitude: expect.closeTo(45.75, 1) })])
  expect((await call(server, endpoints.search, { query: { q: '69007' } })).status).toBe(401)
})

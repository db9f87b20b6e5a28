import { endpoints } from '@voisol/contract'
import type { Endpoint } from '@voisol/contract/endpoint'
import { PERMISSIONS } from '@voisol/contract/permissions'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatEndpoint } from './access-bodies.ts'
import type { Owner } from './access-makers.ts'
import { call } from './client.ts'
import { makeSiteAdmin, makeUser } from './factories.ts'
import { FOREIGN_BODIES } from './foreign-bodies.ts'
import {
  countRefs,
  type ForeignBody,
  fillRefs,
  listRefPaths,
  listUuidPaths,
  makeReferencedRows,
  type ReferencedIds,
} from './foreign-references.ts'
import { useServer } from './server.ts'
import { clearWrittenRows, listWrittenRows, watchRows } from './watched-rows.ts'

const NEIGHBOUR = 'Chez le voisin'
const server = useServer()
let owner: Owner
let theirs: ReferencedIds
beforeAll(async () => {
  await watchRows(server, 'whole')
  await makeSiteAdmin(server.db)
  owner = await makeUser(server.db)
  theirs = await makeReferencedRows(server, owner, NEIGHBOUR)
})

/** What the site owner keeps is open only to its administrators. */
const isSite = ({ access }: Endpoint) => {
  const permission = typeof access === 'object' && access.permission
  return Boolean(permission && 'site' in PERMISSIONS[permission])
}
const endpointsWithIds = endpoints.filter((e) => e.body && listUuidPaths(e.body).length && !isSite(e))
const listForeignRows = (e: Endpoint): ForeignBody[] => [FOREIGN_BODIES[formatEndpoint(e)] ?? []].flat()

test('every body field that takes an id has its test row', () => {
  const sorted = (places: string[]) => [...new Set(places)].sort()
  const missing = endpointsWithIds.flatMap((e) => {
    const known = sorted(listForeignRows(e).flatMap(({ body }) => listRefPaths(body)))
    return sorted(listUuidPaths(e.body))
      .filter((place) => !known.includes(place))
      .map((place) => `${formatEndpoint(e)} ${place}`)
  })
  expect(missing).toEqual([])
  const called = new Set(endpoints.map(formatEndpoint))
  expect(Object.keys(FOREIGN_BODIES).filter((row) => !called.has(row))).toEqual([])
})

/** Calls that skip unknown items of a selection: they succeed without any effect on another company. */
const SILENTLY_SKIPPING = new Set([
  'POST /api/acc-operations/:id/tariffs/trial',
  'POST /api/debit-runs',
  'POST /api/sync/errors/handle',
  'POST /api/webhooks/:id/replay',
])

const cases = Object.entries(FOREIGN_BODIES).flatMap(([named, rows]) =>
  [rows].flat().map((row, at) => [`${named}${at ? ` (${at + 1})` : ''}`, named, row] as const),
)

describe('an id of another company in a body is treated as unknown', () => {
  test.each(cases)('%s', async (_, named, { params, body, own: expected = 200 }) => {
    const e = endpoints.find((one) => formatEndpoint(one) === named)
    if (!e) throw new Error(`${named} is not in the contract`)
    const stranger = await makeUser(server.db)
    const mine = await makeReferencedRows(server, stranger, 'Chez nous')
    const paths = params && (fillRefs(params, mine, theirs).body as Record<string, string>) // ids in the place of words
    const send = async (foreign: number) => {
      const { body: asked, sent } = fillRefs(body, mine, theirs, foreign)
      const { status, body: said, text } = await call(server, e, { params: paths, body: asked }, stranger)
      return { sent, text, outcome: { status, code: said?.code, message: said?.message, issues: said?.issues } }
    }
    const refusals: object[] = []
    for (let at = 0; at < countRefs(body); at++) {
      await clearWrittenRows(server)
      const { sent, text, outcome } = await send(at)
      refusals.push(outcome)
      const isRefused = [404, 409, 422].includes(outcome.status)
      expect(isRefused || SILENTLY_SKIPPING.has(named), `${at} ${JSON.stringify(outcome)}`).toBe(true)
      for (const secret of [owner.email, owner.lastName, NEIGHBOUR]) expect(text).not.toContain(secret)
      const rows = await listWrittenRows(server)
      expect(rows.filter(({ row }) => row?.company_id === owner.companyId)).toEqual([])
      expect(rows.filter(({ row }) => JSON.stringify(row).includes(sent))).toEqual([])
      // Jobs of earlier calls may write meanwhile, for other companies.
      if (isRefused) expect(rows.filter(({ row }) => row?.company_id === stranger.companyId)).toEqual([])
    }
    if (expected === null) return
    const { outcome } = await send(-1)
    expect(outcome.status, JSON.stringify(outcome)).toBe(expected)
    if (!SILENTLY_SKIPPING.has(named)) for (const refusal of refusals) expect(refusal).not.toEqual(outcome)
  })
})

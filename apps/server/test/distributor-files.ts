import { distributorFiles } from '@voisol/contract/distributor-files'
import { sql } from 'drizzle-orm'
import { beforeAll, expect } from 'vitest'
import { loadCurves } from '../src/features/energy/curves/read-curves.ts'
import { call } from './client.ts'
import { makeUser } from './factories.ts'
import { makeMeter } from './factories-energy.ts'
import { useServer } from './server.ts'
import { waitUntil } from './wait.ts'

export const rangeFromOne = (length: number) => Array.from({ length }, (_, n) => n + 1)

/** A server, an administrator who uploads distributor files, and their results. */
export function useDistributorFileServer() {
  const server = useServer()
  let admin: Awaited<ReturnType<typeof makeUser>>
  beforeAll(async () => {
    admin = await makeUser(server.db)
  })

  const upload = (content: Uint8Array | string, name = 'fichier.bin', as = admin) =>
    call(server, distributorFiles.upload, { query: { name, source: 'upload' }, upload: Buffer.from(content) }, as)
  const find = async (id: string, as = admin) => {
    const { body } = await call(server, distributorFiles.list, { query: { size: '100' } }, as)
    return body.items.find((item: { id: string }) => item.id === id)
  }
  const settled = (id: string, as = admin) =>
    waitUntil(async () => {
      const file = await find(id, as)
      return file && file.status !== 'waiting' && file
    })

  return {
    server,
    upload,
    find,
    settled,
    ...createStoredReaders(server),
    admin: () => admin,
    meter: (more: Partial<Parameters<typeof makeMeter>[1]> = {}) =>
      makeMeter(server.db, { companyId: admin.companyId, ...more }),
    async decode(content: Uint8Array | string, name?: string) {
      const { status, body } = await upload(content, name)
      expect(status).toBe(200)
      return settled(body.id)
    },
    async wattsOf(id: string, day: string) {
      const days = (await loadCurves(server.db, admin.companyId, [id], '2025-01-01', '2027-01-01')).get(id) ?? []
      return [...(days.find((one) => one.day === day)?.watts ?? [])]
    },
  }
}

const createStoredReaders = (server: ReturnType<typeof useServer>) => ({
  async indexesOf(pointId: string) {
    const { rows } = await server.db.execute(sql`select day::text, calendar, name, wh::int, source
      from distributor_indexes where point_id = ${pointId} order by day, source, calendar, name`)
    return rows.map(({ day, calendar, name, wh, source }) => [day, calendar, name, wh, source].join(' '))
  },
  async quantitiesOf(pointId: string) {
    const { rows } = await server.db.execute(sql`select from_day::text as "from", to_day::text as "to", type, calendar,
      name, wh::int from distributor_quantities where point_id = ${pointId} and superseded_at is null order by type, name`)
    return rows.map(({ from, to, type, calendar, name, wh }) => [from, to, type, calendar, name, wh].join(' '))
  },
})

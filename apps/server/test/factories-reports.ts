import { reports } from '@voisol/contract/reports'
import { eq } from 'drizzle-orm'
import { operations } from '../src/db/schema/index.ts'
import { call, type Server } from './client.ts'
import { adoptKey, allocate, makeScene } from './factories-allocations.ts'

export const MARCH = { from: '2025-03-01', to: '2025-04-01' }

/** March of an operation with a roof and two homes, shared. */
export async function makeReportScene(server: Server, more: { companyId?: number } = {}) {
  const place = { ...MARCH, producers: [613], consumers: [599, 307], ...more }
  const scene = await makeScene(server, place)
  const { operation } = scene
  await server.db.update(operations).set({ unitPrice: 1_213 }).where(eq(operations.id, operation.id))
  await adoptKey(server, scene, { method: 'default' })
  await allocate(server, scene, MARCH)
  const auth = { token: scene.token }
  const asked = { template: 'operation-month' as string, subjectId: operation.id, period: '2025-03' }
  const make = (wanted: Partial<typeof asked> = {}, who = auth) =>
    call(server, reports.make, { body: { ...asked, ...wanted } }, who)
  return { ...scene, auth, asked, make }
}

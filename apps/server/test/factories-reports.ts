import { reports } from '@voisol/contract/reports'
import { eq } from 'drizzle-orm'
import { operations } from '../src/db/schema/index.ts'
import { call, type TestServer } from './client.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from './factories-allocations.ts'

export const MARCH_PERIOD = { from: '2025-03-01', to: '2025-04-01' }

/** March of an operation with a roof and two homes, allocated. */
export async function makeReportFixture(server: TestServer, more: { companyId?: number } = {}) {
  const place = { ...MARCH_PERIOD, producers: [613], consumers: [599, 307], ...more }
  const scene = await makeOperationFixture(server, place)
  const { operation } = scene
  await server.db.update(operations).set({ unitPrice: 1_213 }).where(eq(operations.id, operation.id))
  await requestKeyAdoption(server, scene, { method: 'default' })
  await runAllocation(server, scene, MARCH_PERIOD)
  const auth = { token: scene.token }
  const asked = { template: 'operation-month' as string, subjectId: operation.id, period: '2025-03' }
  const make = (wanted: Partial<typeof asked> = {}, who = auth) =>
    call(server, reports.make, { body: { ...asked, ...wanted } }, who)
  return { ...scene, auth, asked, make }
}

import { allocations } from '@voisol/contract/allocations'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeOperationFixture, requestKeyAdoption, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { insertRun } from './allocation-runs.ts'

const server = useServer()
const PERIOD = { from: '2025-10-26', to: '2025-10-28' }

test('exports each level as a table, with both repeated hours in October', async () => {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [4000], consumers: [3200, 1200] })
  await requestKeyAdoption(server, here, { method: 'default' })
  const run = await runAllocation(server, here, PERIOD)
  const file = async (level: string, format = 'csv') => {
    const query = { level, format }
    return call(server, allocations.export, { params: { id: run.id }, query }, { token: here.token })
  }
  const rows = async (level: string) => (await file(level)).text.trim().split('\r\n')
  const points = await rows('points')
  expect(points).toHaveLength(4)
  expect(points[1]).toMatch(new RegExp(`^${here.producers[0]?.prm};Voisin \\d+;Production;196;196;0`))
  const days = await rows('days')
  expect(days[1]).toBe('26/10/2025;100;100;0;110;10;0')
  expect(await rows('pairs')).toHaveLength(3)
  const steps = await rows('steps')
  expect(steps).toHaveLength(1 + 196)
  expect(steps[1]).toMatch(/^2025-10-26T00:00\+02:00;1;0,(727267|272733);0,(727267|272733)$/)
  expect(steps.filter((row) => row.startsWith('2025-10-26T02:00'))).toHaveLength(2)
  expect((await file('steps', 'xlsx')).headers['content-type']).toContain('spreadsheet')
})

test('refuses to export a run that is not done', async () => {
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [4000], consumers: [3200] })
  const wanted = { companyId: here.companyId, operationId: here.operation.id, ...PERIOD, estimated: false }
  const { id } = await insertRun(server.db, { ...wanted, kind: 'provisional' }, null)
  const { status, body } = await call(server, allocations.points, { params: { id } }, { token: here.token })
  expect([status, body.message]).toEqual([409, 'Ce calcul n’est pas terminé : il n’a pas encore de résultat.'])
})

import { energy } from '@voisol/contract/energy'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  makeMeter,
  makeOperationFixture,
  requestKeyAdoption,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
const MAY = { from: '2025-05-01', to: '2025-06-01' }

test('names suspended members for the requested days and own meters only', async () => {
  const here = await makeOperationFixture(server, {
    ...MAY,
    producers: [997],
    consumers: [811, { watts: 419, label: 'Appt 12', silent: (day) => day >= '2025-05-20' }],
  })
  const { companyId } = here
  const client = await makeUser(server.db, { companyId, role: 'client' })
  const mine = await makeMeter(server.db, { companyId, operationId: here.operation.id, userId: client.id })
  await requestKeyAdoption(server, here, { method: 'default' })
  await runAllocation(server, here, MAY)
  const ask = async (token: string, period: { from: string; to: string }) =>
    (await call(server, energy.summary, { query: period }, { token })).body.suspended
  const silent = { pointId: here.consumers[1]?.id, prm: here.consumers[1]?.prm, label: 'Appt 12' }
  const own = { pointId: mine.id, holder: expect.stringContaining('Voisin') }
  expect(await ask(here.token, MAY)).toMatchObject([
    { ...own, steps: 31 * 96, days: 31, ...MAY },
    { ...silent, steps: 12 * 96, days: 12, from: '2025-05-20', to: '2025-06-01' },
  ])
  expect(await ask(here.token, { from: '2025-05-18', to: '2025-05-23' })).toMatchObject([
    { ...own, steps: 5 * 96, days: 5 },
    { ...silent, steps: 3 * 96, days: 3, from: '2025-05-20', to: '2025-05-23' },
  ])
  expect(await ask(client.token, MAY)).toMatchObject([{ ...own, days: 31 }])
})

test('closes a first, partial month of an operation by a definitive run of its days', async () => {
  const begun = '2025-05-06'
  const meter = (watts: number) => ({ watts, startsOn: begun })
  const here = await makeOperationFixture(server, {
    from: begun,
    to: MAY.to,
    producers: [meter(997)],
    consumers: [meter(811)],
  })
  await requestKeyAdoption(server, here, { method: 'default' })
  const closed = async () => (await call(server, energy.summary, { query: MAY }, { token: here.token })).body.definitive
  await runAllocation(server, here, MAY)
  expect(await closed()).toBe(false)
  await runAllocation(server, here, { from: begun, to: '2025-05-30', kind: 'definitive' })
  expect(await closed()).toBe(false)
  await runAllocation(server, here, { from: begun, to: MAY.to, kind: 'definitive' })
  expect(await closed()).toBe(true)
})

import { allocations } from '@voisol/contract/allocations'
import { keys } from '@voisol/contract/keys'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeOperationFixture, requestKeyDraft, runAllocation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
const PERIOD = { from: '2025-10-27', to: '2025-10-28' }

/**
 * The watt-minutes that two households get under a coefficient file when a roof produces in two quarter-hours of a day.
 */
async function share(made: Record<number, number>, lines: string[]) {
  const roof = (at: number) => made[at] ?? 0
  const here = await makeOperationFixture(server, { ...PERIOD, producers: [roof], consumers: [2410, 2410] })
  const { token } = here
  const { body: key } = await requestKeyDraft(server, here, { method: 'simple' })
  const params = { id: key.id }
  const upload = Buffer.from([`Horodate;${here.consumers.map(({ prm }) => prm).join(';')}`, ...lines].join('\n'))
  const read = await call(
    server,
    keys.importCoefficients,
    { params, query: { name: 'x.csv', dryRun: 'false' }, upload },
    { token },
  )
  await call(server, keys.adopt, { params, body: { version: key.version + 1 } }, { token })
  const run = await runAllocation(server, here, PERIOD)
  const { body } = await call(server, allocations.pairs, { params: { id: run.id } }, { token })
  const given = new Map(body.items.map((item: { pointId: string; energy: number }) => [item.pointId, item.energy]))
  return { read: read.body, given: here.consumers.map(({ id }) => given.get(id)) }
}

test('applies hourly coefficients to each of their quarter-hours', async () => {
  const { read, given } = await share({ 5: 1240, 7: 1880 }, [
    '27/10/2025 00:00;5,2;61',
    '27/10/2025 01:00;37,5;12,5',
    '27/10/2025 02:00;71;3,4',
  ])
  expect(read).toMatchObject({ ...PERIOD, steps: 3, stored: true })
  expect(given).toEqual([17_550, 5_850])
})

test('reads times that end their step: 00:15 is the first of the day, midnight the last', async () => {
  const { read, given } = await share({ 0: 1240, 95: 1880 }, [
    '27/10/2025 00:15;37,5;12,5',
    '27/10/2025 00:30;71;3,4',
    '28/10/2025 00:00;20,5;30',
  ])
  expect(read).toMatchObject({ ...PERIOD, steps: 3, stored: true })
  expect(given).toEqual([6_975 + 5_781, 2_325 + 8_460])
})

import { expect, test, vi } from 'vitest'
import { makeOperationFixture, requestKeyAdoption } from '../../test/factories-energy.ts'
import { useServer } from '../../test/server.ts'
import { runAllocateCommand } from './allocate.ts'

const server = useServer()
const DAYS = ['2025-05-01', '2025-05-02']

test('computes an allocation, prints the result, and reports errors', async () => {
  const here = await makeOperationFixture(server, {
    from: '2025-05-01',
    to: '2025-05-02',
    producers: [1000],
    consumers: [600],
  })
  const run = () => runAllocateCommand(server.deps, [here.operation.id, ...DAYS])
  await expect(run()).rejects.toThrow('Aucune clé de répartition n’est en vigueur')
  await requestKeyAdoption(server, here, { method: 'default' })
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  expect(await run()).toBe(true)
  const text = said.mock.calls.flat().join('\n')
  said.mockRestore()
  expect(text).toMatch(/Production +24\skWh\n +Affecté +14\skWh\n +Surplus +10\skWh/)
  await expect(runAllocateCommand(server.deps, ['ACC99999999', ...DAYS])).rejects.toThrow('Aucune opération')
  await expect(runAllocateCommand(server.deps, [here.operation.id, 'hier'])).rejects.toThrow('Écrivez')
})

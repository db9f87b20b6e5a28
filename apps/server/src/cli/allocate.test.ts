import { expect, test, vi } from 'vitest'
import { adoptKey, makeScene } from '../../test/factories-allocations.ts'
import { useServer } from '../../test/server.ts'
import { allocate } from './allocate.ts'

const server = useServer()
const DAYS = ['2025-05-01', '2025-05-02']

test('computes where it stands, says what came out, and says what is wrong', async () => {
  const here = await makeScene(server, { from: '2025-05-01', to: '2025-05-02', producers: [1000], consumers: [600] })
  const run = () => allocate(server.deps, [here.operation.id, ...DAYS])
  await expect(run()).rejects.toThrow('Aucune clé de répartition n’est en vigueur')
  await adoptKey(server, here, { method: 'default' })
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  expect(await run()).toBe(true)
  const text = said.mock.calls.flat().join('\n')
  said.mockRestore()
  expect(text).toMatch(/Production +24\skWh\n +Affecté +14\skWh\n +Surplus +10\skWh/)
  await expect(allocate(server.deps, ['ACC99999999', ...DAYS])).rejects.toThrow('Aucune opération')
  await expect(allocate(server.deps, [here.operation.id, 'hier'])).rejects.toThrow('Écrivez')
})

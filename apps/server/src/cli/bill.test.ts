import { expect, test, vi } from 'vitest'
import { allocateBillableMonth, makeBillableMonth } from '../../test/factories-billing.ts'
import { useServer } from '../../test/server.ts'
import { runBillCommand } from './bill.ts'

const server = useServer()

test('checks, closes and issues a month, and reports errors', async () => {
  const here = await makeBillableMonth(server)
  const said = vi.spyOn(console, 'log').mockImplementation(() => {})
  const run = (options = {}) => runBillCommand(server.deps, [here.operation.id, '2025-10'], options)
  expect(await run()).toBe(false)
  await expect(run({ close: true })).rejects.toThrow('8 jours n’ont pas de calcul de répartition')
  await allocateBillableMonth(server, here)
  await expect(run({ issue: true })).rejects.toThrow('n’est pas clos')
  expect(await run({ close: true, issue: true })).toBe(true)
  expect(await run({ issue: true })).toBe(true)
  const text = said.mock.calls.flat().join('\n')
  said.mockRestore()
  expect(text).toContain('6 documents émis, 0 l’étaient déjà.')
  expect(text).toContain('0 documents émis, 6 l’étaient déjà.')
  await expect(runBillCommand(server.deps, [here.operation.id, 'mai'], {})).rejects.toThrow('Écrivez')
  await expect(runBillCommand(server.deps, ['ACC99999999', '2025-10'], {})).rejects.toThrow('Aucune opération')
})

import { expect, test } from 'vitest'
import { makeUser } from '../../test/factories.ts'
import { makeMeter, makeOperation, makeRun } from '../../test/factories-energy.ts'
import { useServer } from '../../test/server.ts'
import { updateCoverage } from '../features/energy/allocation/execute-run.ts'
import { listTouchedMonths, trackTouchedMonths } from './change-confirmation.ts'
import { markRunsOutdated } from './outdated-runs.ts'

const server = useServer()

/** Runs in force from 8 March until 12 May. */
async function scene(more: object = {}) {
  const { companyId } = await makeUser(server.db)
  const { id: operationId } = await makeOperation(server.db, { companyId })
  const run = { companyId, operationId, startsOn: '2025-03-08', endsOn: '2025-05-12', kind: 'definitive', ...more }
  const { id } = await makeRun(server.db, run)
  await updateCoverage(server.db, { companyId, id })
  const months = async (from: string, to: string | null, pointIds?: string[]) =>
    (
      await listTouchedMonths(server.db, companyId, [
        { ...(pointIds ? { pointIds } : { operationIds: [operationId] }), from, to },
      ])
    )
      .map(({ month }) => month.slice(5, 7))
      .join(' ')
  return { companyId, operationId, id, months }
}

test('lists months with a computed day that is affected, the last day excluded', async () => {
  const { months } = await scene()
  expect(await months('2025-03-31', '2025-04-01')).toBe('03')
  expect(await months('2025-03-31', '2025-04-02')).toBe('03 04')
  expect(await months('2025-01-01', '2025-03-08')).toBe('')
  expect(await months('2025-05-11', null)).toBe('05')
  expect(await months('2025-05-12', null)).toBe('')
  expect(await months('2025-01-01', null)).toBe('03 04 05')
})

test('an estimate also reads the days around it', async () => {
  const { months } = await scene({ estimated: true, kind: 'provisional' })
  expect(await months('2025-06-08', null)).toBe('05')
  expect(await months('2025-06-09', null)).toBe('')
})

test('readings affect the operations of their point, on its days there', async () => {
  const { companyId, operationId, months } = await scene()
  const dates = { startsOn: '2025-04-10', endsOn: '2025-05-01' }
  const { id } = await makeMeter(server.db, { companyId, operationId, ...dates })
  expect(await months('2025-03-01', '2025-06-01', [id])).toBe('04')
  expect(await months('2025-04-01', '2025-04-10', [id])).toBe('')
  const stranger = await scene()
  expect(await stranger.months('2025-03-01', '2025-06-01', [id])).toBe('')
})

test('a tracked transaction collects affected days; runs it marks count as valid before it', async () => {
  const { companyId, operationId, id } = await scene()
  const { db, touched } = trackTouchedMonths(server.db)
  const change = { operationIds: [operationId], from: '2025-05-01', to: null }
  await markRunsOutdated(db, companyId, { ...change, reason: 'Essai.' })
  expect(touched).toEqual([{ ...change, pointIds: [] }])
  // Marked by an earlier transaction, so not affected again.
  expect((await listTouchedMonths(server.db, companyId, touched)).map(({ runIds }) => runIds)).toEqual([[]])
  const other = await scene()
  const again = { operationIds: [other.operationId], from: '2025-05-01', to: null }
  expect((await listTouchedMonths(server.db, other.companyId, [again]))[0]?.runIds).toEqual([other.id])
  expect(id).not.toBe(other.id)
})

import { allocations } from '@voisol/contract/allocations'
import { keys } from '@voisol/contract/keys'
import { addDays } from '@voisol/energy/calendar'
import { describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  makeOperationFixture,
  requestImpactPreview,
  requestKeyAdoption,
  requestKeyDraft,
  runAllocation,
} from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { transaction } from '../../../db/client.ts'
import { getToday } from '../../../today.ts'
import { createFirstKey } from './create-key.ts'

const server = useServer()
const createTestScene = () =>
  makeOperationFixture(server, { from: '2025-05-01', to: '2025-05-03', producers: [1000], consumers: [500, 500, 500] })
type Scene = Awaited<ReturnType<typeof createTestScene>>
const shares = ({ consumers }: Scene, ...values: number[]) =>
  values.map((share, i) => ({ pointId: consumers[i]?.id ?? '', share }))
const list = async ({ operation, token }: Scene) =>
  (await call(server, keys.list, { params: { id: operation.id } }, { token })).body.items

describe('key versions', () => {
  test('apply until the next adopted one begins, and the later of two on a day', async () => {
    const here = await createTestScene()
    const future = addDays(getToday(), 30)
    await requestKeyAdoption(server, here, { method: 'default' })
    await requestKeyAdoption(server, here, { method: 'equal', startsOn: '2025-06-01' })
    await requestKeyAdoption(server, here, {
      method: 'static',
      startsOn: '2025-06-01',
      shares: shares(here, 500_000, 300_000, 0),
    })
    await requestKeyAdoption(server, here, { method: 'default', startsOn: future })
    await requestKeyDraft(server, here, { method: 'priority', startsOn: '2025-07-01' })
    expect(await list(here)).toMatchObject([
      { number: 5, status: 'draft', inForce: false, endsOn: future },
      { number: 4, startsOn: future, endsOn: null, inForce: false },
      { number: 3, method: 'static', endsOn: future, inForce: true, sum: 800_000, locked: false },
      { number: 2, startsOn: '2025-06-01', endsOn: '2025-06-01', inForce: false },
      { number: 1, endsOn: '2025-06-01', inForce: false, sum: null, coefficientDays: null },
    ])
  })

  test('never change once used by a definitive run', async () => {
    const here = await createTestScene()
    const { body: key } = await requestKeyAdoption(server, here, { method: 'default' })
    const { body: other } = await requestKeyDraft(server, here, { method: 'equal', startsOn: '2025-05-02' })
    await runAllocation(server, here, { from: '2025-05-01', to: '2025-05-02', kind: 'definitive' })
    expect((await list(here)).find(({ id }: { id: string }) => id === key.id).locked).toBe(true)
    const body = { method: 'equal', label: '', startsOn: '2025-01-01', decimals: 1, shares: [], version: key.version }
    const refused = await call(server, keys.update, { params: { id: key.id }, body }, { token: here.token })
    expect(refused.status).toBe(409)
    expect(refused.body.message).toContain('Préparez une nouvelle version')
    const change = { params: { id: other.id }, body: { ...body, startsOn: '2025-05-03', version: other.version } }
    expect((await call(server, keys.update, change, { token: here.token })).status).toBe(200)
  })

  test('invalidate only the runs of their days when adopted or changed', async () => {
    const here = await createTestScene()
    await requestKeyAdoption(server, here, { method: 'default' })
    const runs = [
      await runAllocation(server, here, { from: '2025-05-01', to: '2025-05-02', kind: 'definitive' }),
      await runAllocation(server, here, { from: '2025-05-02', to: '2025-05-03', kind: 'definitive' }),
    ]
    const { body: adopted } = await requestKeyAdoption(server, here, { method: 'equal', startsOn: '2025-05-02' })
    const stale = async () =>
      Promise.all(
        runs.map(async ({ id }) => {
          const { body } = await call(server, allocations.get, { params: { id } }, { token: here.token })
          return body.staleReason
        }),
      )
    expect(await stale()).toEqual(['', 'La version 2 de la clé de répartition a changé.'])
    const body = { method: 'equal', label: '', startsOn: '2025-05-01', decimals: 1, shares: [] }
    const params = { id: adopted.id }
    const old = await call(server, keys.update, { params, body: { ...body, version: 1 } }, { token: here.token })
    expect([old.status, old.body.code]).toEqual([409, 'stale'])
    const change = { ...body, version: adopted.version }
    const seen = await requestImpactPreview(server, { kind: 'key', id: adopted.id, body: change }, here.token)
    await call(server, keys.update, { params, body: { ...change, ...seen } }, { token: here.token })
    expect((await stale())[0]).toBe('La version 2 de la clé de répartition a changé.')
  })

  test('can be removed only as drafts', async () => {
    const here = await createTestScene()
    const { body: adopted } = await requestKeyAdoption(server, here, { method: 'default' })
    const { body: draft } = await requestKeyDraft(server, here, { method: 'equal' })
    const remove = (id: string) => call(server, keys.remove, { params: { id } }, { token: here.token })
    expect([(await remove(adopted.id)).status, (await remove(draft.id)).status]).toEqual([409, 200])
    expect(await list(here)).toHaveLength(1)
  })
})

describe('key rules', () => {
  test('refuse adoption above 100 %, without participant or with a stranger, and show it in the draft', async () => {
    const here = await createTestScene()
    const stranger = await makeOperationFixture(server, {
      from: '2025-05-01',
      to: '2025-05-02',
      producers: [],
      consumers: [1],
      companyId: here.companyId,
    })
    const given = [...shares(here, 700_000, 345_000), { pointId: stranger.consumers[0]?.id ?? '', share: 0 }]
    const draft = await requestKeyDraft(server, here, { method: 'static', shares: given })
    expect(draft.status).toBe(200)
    const messages = draft.body.problems.map(({ message }: { message: string }) => message)
    expect(messages).toEqual([
      expect.stringMatching(/^Le point \d{14} ne participe pas à l’opération/),
      expect.stringMatching(/^La clé ne donne aucun coefficient au point Voisin \d+ \(\d{14}\)\. Écrivez 0/),
      'La somme des coefficients est de 104,5\u00a0%, au-delà de 100\u00a0%.',
    ])
    const params = { id: draft.body.id }
    const refused = await call(
      server,
      keys.adopt,
      { params, body: { version: draft.body.version } },
      { token: here.token },
    )
    expect(refused.status).toBe(422)
    expect(refused.body.issues).toHaveLength(3)
  })

  test('check the sum again between every entry and exit', async () => {
    const here = await makeOperationFixture(server, {
      from: '2025-05-01',
      to: '2025-05-02',
      producers: [1000],
      consumers: [100, { watts: 100, endsOn: '2025-05-11' }, { watts: 100, startsOn: '2025-05-10' }],
    })
    const method = 'redistributed'
    const over = await requestKeyAdoption(server, here, { method, shares: shares(here, 400_000, 400_000, 400_000) })
    expect(over.status).toBe(422)
    expect(over.body.message).toContain('120\u00a0%')
    expect(over.body.message).toContain('Du 10/05/2025 au 11/05/2025 exclu.')
    const { body: later } = await requestKeyDraft(server, here, {
      method,
      startsOn: '2025-05-11',
      shares: shares(here, 600_000, 0, 400_000),
    })
    expect(later.problems).toEqual([
      { severity: 'refused', message: expect.stringContaining('ne participe pas à l’opération') },
    ])
  })

  test('let a successor take the share of the previous holder', async () => {
    const here = await makeOperationFixture(server, {
      from: '2025-05-01',
      to: '2025-05-03',
      producers: [1000],
      consumers: [1000, { watts: 1000, endsOn: '2025-05-02' }, { watts: 1000, startsOn: '2025-05-02' }],
    })
    const given = shares(here, 500_000, 500_000, 500_000)
    expect((await requestKeyAdoption(server, here, { method: 'redistributed', shares: given })).status).toBe(200)
    const run = await runAllocation(server, here, { from: '2025-05-01', to: '2025-05-03' })
    expect(run).toMatchObject({ status: 'done', totals: { surplus: 0 }, counts: { excluded: 0 } })
  })

  test('refuse a foreign, repeated or wrong-direction point at its line', async () => {
    const here = await createTestScene()
    const foreign = await createTestScene()
    const given = [
      ...shares(here, 1),
      ...shares(foreign, 1),
      { pointId: here.producers[0]?.id ?? '', share: 1 },
      ...shares(here, 1),
    ]
    const { status, body } = await requestKeyDraft(server, here, { method: 'static', shares: given })
    expect(status).toBe(422)
    expect(body.issues.map(({ path }: { path: string }) => path)).toEqual([
      'shares.1.pointId',
      'shares.2.pointId',
      'shares.3.pointId',
    ])
  })

  test('adopts the first key with its operation, or refuses both', async () => {
    const here = await createTestScene()
    const { id } = here.operation
    const actor = { companyId: here.companyId } as never // only companyId is read
    const first = (values: number[]) =>
      transaction(server.db, (tx) =>
        createFirstKey(tx, actor, id, { method: 'static', startsOn: '2025-01-01', shares: shares(here, ...values) }),
      )
    await expect(first([900_000, 900_000, 0])).rejects.toThrow('180\u00a0%')
    await first([500_000, 500_000, 0])
    expect(await list(here)).toMatchObject([{ number: 1, status: 'adopted', inForce: true, sum: 1_000_000 }])
  })

  test('hides keys from other companies', async () => {
    const here = await createTestScene()
    const { body: key } = await requestKeyDraft(server, here, { method: 'default' })
    const { token } = await makeUser(server.db)
    const body = { method: 'equal', label: '', startsOn: '2025-01-01', decimals: 1, shares: [], version: 1 }
    const statuses = [
      await call(server, keys.list, { params: { id: here.operation.id } }, { token }),
      await requestKeyDraft(server, { operation: here.operation, token }, { method: 'default' }),
      await call(server, keys.get, { params: { id: key.id } }, { token }),
      await call(server, keys.update, { params: { id: key.id }, body }, { token }),
      await call(server, keys.adopt, { params: { id: key.id }, body: { version: 1 } }, { token }),
      await call(server, keys.remove, { params: { id: key.id } }, { token }),
      await call(
        server,
        keys.importCoefficients,
        { params: { id: key.id }, query: { name: 'a.csv', dryRun: 'true' }, upload: Buffer.from('x') },
        { token },
      ),
      await call(
        server,
        keys.compare,
        { params: { id: here.operation.id }, query: { from: '2025-05-01', to: '2025-05-02' } },
        { token },
      ),
    ].map(({ status }) => status)
    expect(statuses).toEqual(Array(8).fill(404))
  })
})

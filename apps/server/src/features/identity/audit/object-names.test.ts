import { audit, type ListedEntry } from '@voisol/contract/audit'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeInsight } from '../../../../test/factories-analytics.ts'
import { buildAuditRecord } from '../../../../test/factories-audit.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { appendAudit } from '../../../http/audit.ts'

const server = useServer()
const write = (companyId: number, n: number, more: object) =>
  appendAudit(server.db, server.deps.secrets, { ...buildAuditRecord(companyId, n), ...more })

test('shows ids by the names of their objects, in the user’s own company only', async () => {
  const admin = await makeUser(server.db)
  const stranger = await makeUser(server.db)
  const mine = await makeOperation(server.db, { companyId: admin.companyId, name: 'Les Tilleuls du Port' })
  const theirs = await makeOperation(server.db, { companyId: stranger.companyId, name: 'Secret du voisin' })
  const targets = [mine.id, `${mine.id} 2026-05`, theirs.id, admin.id, stranger.id, 'Élodie', crypto.randomUUID()]
  for (const [n, target] of targets.entries()) await write(admin.companyId, n + 1, { target })
  await write(admin.companyId, 8, { actor: 'tâche allocations.run' })
  const { id: found } = await makeInsight(server.db, { companyId: admin.companyId, operationId: mine.id })
  await write(admin.companyId, 9, { target: found })
  const { body, text } = await call(server, audit.list, { query: {} }, admin)
  const items = (body.items as ListedEntry[]).toReversed()
  expect(items.slice(0, 7).map(({ object }) => object?.name ?? null)).toEqual([
    'Les Tilleuls du Port',
    'Les Tilleuls du Port',
    null,
    `${admin.firstName} ${admin.lastName}`,
    null,
    null,
    null,
  ])
  expect(items[0]).toMatchObject({ target: mine.id, object: { kind: 'operations', id: mine.id } })
  expect(items[7]).toMatchObject({ actor: 'tâche allocations.run', actorName: 'Tâche\u00a0: Calcul d’une répartition' })
  expect(items[8]?.object).toMatchObject({ kind: 'insights', name: 'Constat du 13/05/2026, Les Tilleuls du Port' })
  expect(text).not.toContain('Secret du voisin')
  const one = await call(server, audit.get, { params: { id: '1' } }, admin)
  expect(one.body).toMatchObject({ object: { name: 'Les Tilleuls du Port' }, actorName: 'camille@exemple.fr' })
})

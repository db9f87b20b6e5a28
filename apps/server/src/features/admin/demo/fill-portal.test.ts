import { joiningDesk } from '@voisol/contract/joining-management'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { loadJobActor } from '../../../http/job-actor.ts'
import { fillJoining } from './fill-portal.ts'

const server = useServer()

test('creates one open operation, two applicants and one departure; a second fill adds nothing', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const operation = await makeOperation(server.db, { companyId, name: 'Résidence Les Tilleuls' })
  const participantId = (await makeParticipant(server.db, { companyId, email: 'voisine@exemple.fr' })).id
  await makeParticipation(server.db, { companyId, operationId: operation.id, participantId })
  const actor = await loadJobActor(server.db, companyId, admin.id)
  if (!actor) throw new Error('nobody')
  await fillJoining(server.deps, actor)
  await fillJoining(server.deps, actor)
  const { body } = await call(server, joiningDesk.list, { query: { state: 'waiting' } }, admin)
  expect(body.items.map(({ kind, hasPaper }: { kind: string; hasPaper: boolean }) => [kind, hasPaper])).toEqual([
    ['move', true],
    ['join', true],
    ['join', true],
  ])
  const { body: page } = await call(server, joiningDesk.settings, { params: { id: operation.id } }, admin)
  expect([page.slug, page.isOpen]).toEqual(['residence-les-tilleuls', true])
})

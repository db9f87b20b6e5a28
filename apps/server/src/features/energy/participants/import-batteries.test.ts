import { participants } from '@voisol/contract/participants'
import { points } from '@voisol/contract/points'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
const HEADER = 'Organisation;PRM;Rôle;Segment;Date d’entrée;Date de sortie;Libellé du point'
const PRM = '27600000000119'

async function createTestScene() {
  const user = await makeUser(server.db)
  const { id: operationId } = await makeOperation(server.db, { companyId: user.companyId })
  const send = (...lines: string[]) => {
    const upload = Buffer.from([HEADER, ...lines].join('\n'))
    const query = { name: 'quai.csv', dryRun: 'false', operationId }
    return call(server, participants.import, { query, upload }, user)
  }
  const held = async () => {
    const { body } = await call(server, points.list, { query: { operationId } }, user)
    const all: { direction: string; storage: boolean; startsOn: string; endsOn: string | null }[] = body.items
    return all.map((one) => [one.direction, one.storage, one.startsOn, one.endsOn])
  }
  return { ...user, operationId, send, held }
}

test('imports a battery from one line with both directions', async () => {
  const { send, held } = await createTestScene()
  const line = `Régie du quai;${PRM};Batterie;C4;07/03/2026;;Batterie du quai`
  const { body } = await send(line)
  expect(body).toMatchObject({ created: 1, refused: 0, lines: [{ line: 2, outcome: 'created' }] })
  expect(await held()).toEqual([
    ['consumption', true, '2026-03-07', null],
    ['production', true, '2026-03-07', null],
  ])
  expect((await send(line)).body).toMatchObject({ unchanged: 1 })
  expect((await send(line.replace(';;Batterie', ';19/11/2026;Batterie'))).body).toMatchObject({ updated: 1 })
  expect((await held()).map(([, , , endsOn]) => endsOn)).toEqual(['2026-11-19', '2026-11-19'])
})

test('refuses a file that ends one direction only, and stores nothing', async () => {
  const { send, held } = await createTestScene()
  await send(`Régie du quai;${PRM};Batterie;;07/03/2026;;`)
  const { status, body } = await send(`Régie du quai;${PRM};Consommateur;;07/03/2026;19/11/2026;`)
  expect(status).toBe(409)
  expect(body.message).toBe(
    `La batterie ${PRM} compte deux sens, sa charge et sa décharge\u00a0: ils entrent, sortent et changent de titulaire ensemble, aux mêmes jours.`,
  )
  expect((await held()).map(([, , , endsOn]) => endsOn)).toEqual([null, null])
})

test('refuses to turn a participating meter into a battery by import', async () => {
  const { companyId, operationId, send, held } = await createTestScene()
  const { id: pointId } = await makePoint(server.db, { companyId, prm: PRM, direction: 'production' })
  await makeParticipation(server.db, { companyId, operationId, pointId, startsOn: '2026-02-11' })
  const { body } = await send(`Régie du quai;${PRM};Batterie;;07/03/2026;;`)
  expect(body).toMatchObject({ created: 0, refused: 1 })
  expect(body.lines[0].message).toContain('sans être une batterie')
  expect(await held()).toEqual([['production', false, '2026-02-11', null]])
})

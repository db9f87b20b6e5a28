import { operations } from '@voisol/contract/operations'
import { participants as endpoints } from '@voisol/contract/participants'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
type Cell = { title: string; text: string; message: string }
type Line = { outcome: string; message: string; value?: object; cells?: Cell[] }

async function preview(user: User, lines: string[], query: Record<string, string> = {}): Promise<Line[]> {
  const upload = Buffer.from(['Nom;PRM;Rôle;Segment;Date d’entrée', ...lines].join('\n'))
  const input = { query: { name: 'voisins.csv', dryRun: 'true', ...query }, upload }
  return (await call(server, endpoints.import, input, user)).body.lines
}

test('previews an operation not created yet exactly as its creation', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const other = await makeOperation(server.db, { companyId, name: 'Halle' })
  const { id: pointId } = await makePoint(server.db, { companyId, prm: '19125759600733', direction: 'consumption' })
  await makeParticipation(server.db, { companyId, operationId: other.id, pointId })
  const lines = await preview(
    user,
    [
      'Durand;19125759600733;Consommateur;;',
      'Roux;19125759600734;Producteur;C5;',
      'Blanc;19125759600735;Consommateur;;01/02/2026',
      'Petit;19125759600736;Consommateur;;',
      'Petit;19125759600736;Consommateur;;',
    ],
    { startsOn: '2026-03-01' },
  )
  expect(lines.map(({ outcome }) => outcome)).toEqual(['refused', 'refused', 'refused', 'created', 'refused'])
  expect(lines[0]?.message).toContain('prend déjà part à «\u00a0Halle\u00a0»')
  expect(lines[1]?.message).toMatch(/^Segment\u00a0: Le segment C5 est celui d’un consommateur/)
  expect(lines[2]?.message).toMatch(/^Date d’entrée\u00a0: L’entrée \(01\/02\/2026\) ne peut pas précéder le début/)
  expect(lines[3]?.message).toBe('Entre dans l’opération le 01/03/2026.')
  expect(lines[4]?.message).toBe('PRM\u00a0: Ce PRM est déjà à la ligne 5, pour une période commune.')
  const good = lines.flatMap(({ value }) => value ?? [])
  const body = { name: 'Tilleuls', startsOn: '2026-03-01', participants: good }
  expect((await call(server, operations.check, { body }, user)).body).toEqual({ issues: [] })
})

test('returns a refused line cell by cell, to be corrected and sent alone', async () => {
  const user = await makeUser(server.db)
  const { id: operationId } = await makeOperation(server.db, { companyId: user.companyId })
  const [good, wrong] = await preview(user, ['Durand;19125759600741;;;', 'Roux;1912575960;;C9;'], { operationId })
  expect(good).not.toHaveProperty('cells')
  expect(wrong?.cells).toEqual([
    { title: 'Nom', text: 'Roux', message: '' },
    { title: 'PRM', text: '1912575960', message: expect.stringMatching(/quatorze chiffres/) },
    { title: 'Rôle', text: '', message: '' },
    { title: 'Segment', text: 'C9', message: expect.stringMatching(/Valeur attendue/) },
    { title: 'Date d’entrée', text: '', message: '' },
  ])
  const titles = wrong?.cells?.map(({ title }) => title).join(';')
  const upload = Buffer.from(`${titles}\nRoux;19125759600742;;C4;`)
  const query = { name: 'x.csv', dryRun: 'false', operationId }
  const again = await call(server, endpoints.import, { query, upload }, user)
  expect(again.body).toMatchObject({ created: 1, refused: 0 })
})

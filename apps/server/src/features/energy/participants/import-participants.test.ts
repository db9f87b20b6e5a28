import { participants as endpoints } from '@voisol/contract/participants'
import { and, eq } from 'drizzle-orm'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { participants, participations, points } from '../../../db/schema/index.ts'
import { writeXlsx } from '../../../files/xlsx.ts'

const server = useServer()
type User = Awaited<ReturnType<typeof makeUser>>
type Outcome = { line: number; outcome: string; message: string; prm: string; value?: Record<string, unknown> }

async function send(user: User, file: string | Uint8Array, query: Record<string, string> = {}) {
  const upload = Buffer.from(file)
  return call(server, endpoints.import, { query: { name: 'voisins.csv', dryRun: 'false', ...query }, upload }, user)
}
const outcomes = (body: { lines: Outcome[] }) => body.lines.map(({ line, outcome }) => [line, outcome])
const HEADER =
  'Nom;Prénom;Raison sociale;SIREN;Courriel;Tél.;Adresse;CP;Commune;PDL;Rôle;Segment;Puissance souscrite (kVA);Puissance crête (kWc);Date d’entrée;Date de sortie;Latitude;Longitude;Orientation;Inclinaison'

test('understands French titles, dates, decimals and spaces', async () => {
  const user = await makeUser(server.db)
  const file = [
    HEADER,
    'Léger;Zoé;;;ZOE@exemple.fr;612345678;1 rue;1000;Bourg;30 001 234 567 890;consommatrice;c5;9;;31/12/2026;;45,76;4,85;;',
    ';;Mairie;210 300 217;;;;;;30001234567891;Producteur;;;36,5 kWc;2026-12-31;01/02/2027;;;Sud-Est;30°',
  ].join('\r\n')
  const { body } = await send(user, file)
  expect(outcomes(body)).toEqual([
    [2, 'created'],
    [3, 'created'],
  ])
  expect(body.lines[0].value).toMatchObject({
    lastName: 'Léger',
    email: 'zoe@exemple.fr',
    phone: '0612345678',
    postalCode: '01000',
    prm: '30001234567890',
    direction: 'consumption',
    segment: 'C5',
    subscribedVa: 9000,
    startsOn: '2026-12-31',
    latitude: 45.76,
  })
  expect(body.lines[1].value).toMatchObject({
    name: 'Mairie',
    siren: '210300217',
    direction: 'production',
    peakWatts: 36_500,
    startsOn: '2026-12-31',
    endsOn: '2027-02-01',
    azimuth: 135,
    tilt: 30,
  })
  expect(await server.db.select().from(participants).where(eq(participants.companyId, user.companyId))).toEqual([])
  const latin = await send(user, Buffer.from(file.replace('’', "'"), 'latin1'))
  expect(latin.body.lines[0].value.lastName).toBe('Léger')
})

test('reports what was expected for each wrong line', async () => {
  const user = await makeUser(server.db)
  const file = [
    'nom;prm;rôle;email;date d’entrée;puissance souscrite',
    'A;1,91E+13;;;;',
    'B;1912575962598;;;;',
    'C;abc;;;;',
    'D;30001234567890;les deux;;;',
    'E;30001234567890;;pas-une-adresse;;',
    'F;30001234567890;;;31/02/2026;neuf',
    ';30001234567890;;;;',
    'G;30001234567890;;;;9',
    'H;30001234567890;;;;',
    'G;30001234567890;producteur;;;',
  ].join('\n')
  const { body } = await send(user, file)
  expect(body).toMatchObject({ created: 2, refused: 8 })
  const message = (line: number) => body.lines.find((one: Outcome) => one.line === line)?.message
  expect(message(2)).toContain('le tableur a arrondi ce PRM en «\u00a01,91E+13\u00a0»')
  expect(message(3)).toContain('treize chiffres')
  expect(message(4)).toContain('quatorze chiffres')
  expect(message(5)).toContain('Consommateur ou Producteur')
  expect(message(6)).toContain('E-mail\u00a0: Adresse e-mail attendue')
  expect(message(7)).toMatch(/31\/02\/2026.*n’est pas une date.*neuf.*n’est pas un nombre/)
  expect(message(8)).toContain('Le nom est obligatoire')
  expect(message(10)).toContain('déjà à la ligne 9')
})

test('gives the same result in a dry run, stores good lines, and changes nothing a second time', async () => {
  const user = await makeUser(server.db)
  const { companyId } = user
  const other = await makeOperation(server.db, { companyId, name: 'Ailleurs' })
  const taken = await makePoint(server.db, { companyId })
  await makeParticipation(server.db, { companyId, operationId: other.id, pointId: taken.id })
  const { id: operationId } = await makeOperation(server.db, { companyId, startsOn: '2026-01-01' })
  const file = [
    'nom;prénom;email;prm;date d’entrée;téléphone',
    'Léger;Zoé;zoe@exemple.fr;30001234567890;01/02/2026;',
    `Pris;Paul;;${taken.prm};01/02/2026;`,
    'Tôt;Tom;;30001234567892;31/12/2025;',
    'Seul;Sam;;30001234567893;01/03/2026;',
  ].join('\n')
  const count = async () =>
    (await server.db.select().from(participations).where(eq(participations.operationId, operationId))).length
  const dry = (await send(user, file, { operationId, dryRun: 'true' })).body
  expect(outcomes(dry)).toEqual([
    [2, 'created'],
    [3, 'refused'],
    [4, 'refused'],
    [5, 'created'],
  ])
  expect(dry.lines[0].message).toBe('Entre dans l’opération le 01/02/2026.')
  expect(dry.lines[1].message).toContain('Ailleurs')
  expect(await count()).toBe(0)
  expect((await send(user, file, { operationId })).body).toEqual(dry)
  expect(await count()).toBe(2)
  const again = (await send(user, file, { operationId })).body
  expect(again).toMatchObject({ created: 0, unchanged: 2, refused: 2 })
  const changed = (await send(user, file.replace('01/02/2026;\n', '01/02/2026;0600000000\n'), { operationId })).body
  expect(changed).toMatchObject({ updated: 1, unchanged: 1 })
  expect(await server.db.select().from(participants).where(eq(participants.companyId, companyId))).toHaveLength(3)
})

test('refuses a file that is no table, without lines, or with too many', async () => {
  const user = await makeUser(server.db)
  const fault = async (file: string | Uint8Array) => (await send(user, file)).body.issues?.[0]
  expect(await fault('a;b\n1;2')).toMatchObject({
    path: 'file',
    message: expect.stringContaining('PRM, Nom ou Organisation'),
  })
  expect(await fault('nom;prm\n')).toMatchObject({ message: expect.stringContaining('aucun participant') })
  expect(await fault('nom;prm;pdl\nA;1;2')).toMatchObject({ message: expect.stringContaining('Deux colonnes') })
  expect(await fault(Buffer.from([0x50, 0x4b, 3, 4, 0, 0]))).toMatchObject({
    message: expect.stringContaining('classeur'),
  })
  expect(await fault(Buffer.from([1, 0, 2, 3]))).toMatchObject({ message: expect.stringContaining('ni un CSV') })
  expect(await fault(`nom;prm\n${'A;30001234567890\n'.repeat(2001)}`)).toMatchObject({
    message: expect.stringContaining('2\u202f001'),
  })
  const { status } = await send(user, 'nom;prm\nA;30001234567890', { operationId: crypto.randomUUID() })
  expect(status).toBe(404)
})

test('reads a workbook like a CSV with its numbers, and imports the template as it is', async () => {
  const user = await makeUser(server.db)
  const { id: operationId } = await makeOperation(server.db, { companyId: user.companyId })
  const book = await writeXlsx('x', ['Nom', 'PRM', 'Code postal'], [['A', 19_125_759_625_988, 1000]])
  const { body } = await send(user, book)
  expect(body.lines[0]).toMatchObject({
    line: 2,
    outcome: 'created',
    value: { prm: '19125759625988', postalCode: '01000' },
  })
  for (const format of ['csv', 'xlsx']) {
    const model = await server.app.inject({
      url: `/api/participants/template?format=${format}`,
      headers: { authorization: `Bearer ${user.token}` },
    })
    const report = (await send(user, model.rawPayload, { operationId })).body
    expect(report).toMatchObject(format === 'csv' ? { created: 2, refused: 0 } : { unchanged: 2, refused: 0 })
  }
  const { companyId } = user
  const [plant] = await server.db
    .select()
    .from(points)
    .where(and(eq(points.companyId, companyId), eq(points.prm, '30001234567890')))
  expect(plant).toMatchObject({
    direction: 'production',
    peakWatts: 36_500,
    azimuth: 180,
    tilt: 30,
    label: 'Toit de l’école',
  })
})

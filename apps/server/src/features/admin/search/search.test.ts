import { search } from '@voisol/contract/search'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeApiKey, makeCompany, makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { makeOperation, makeParticipant, makeParticipation, makePoint } from '../../../../test/factories-energy.ts'
import { buildContentDraft } from '../../../../test/factories-site.ts'
import { useServer } from '../../../../test/server.ts'
import { contents, curveImports, distributorFiles, documents, files, projects } from '../../../db/schema/index.ts'

const server = useServer()
type Who = { token: string; companyId: number }
type Hit = { kind: string; title: string; detail: string; to: string }

const find = async (who: { token: string }, q: string): Promise<Hit[]> =>
  (await call(server, search.find, { query: { q } }, who)).body.items
const titles = async (who: { token: string }, q: string) => (await find(who, q)).map(({ title }) => title)

let admin: Who
let lilas: { id: string }
let eloise: { id: string }
let point: { id: string }
const PRM = '30012345678917'

/** One operation has Éloïse as a member, another one has Éric. */
beforeEach(async () => {
  admin = await makeUser(server.db)
  const { companyId } = admin
  lilas = await makeOperation(server.db, {
    companyId,
    name: 'Les Lilas',
    city: 'Villeurbanne',
    accNumber: 'ACC00000537',
  })
  const port = await makeOperation(server.db, { companyId, name: 'Le Vieux-Port', city: 'Marseille' })
  const about = {
    email: 'eloise@exemple.fr',
    phone: '06 11 22 33 47',
    address: '7 allée des Érables',
    city: 'Villeurbanne',
  }
  eloise = await makeParticipant(server.db, { companyId, name: 'Éloïse Lefèvre', ...about })
  const eric = await makeParticipant(server.db, { companyId, name: 'Éric Vasseur' })
  point = await makePoint(server.db, { companyId, prm: PRM, label: 'Appartement 12' })
  await makeParticipation(server.db, { companyId, operationId: lilas.id, participantId: eloise.id, pointId: point.id })
  await makeParticipation(server.db, { companyId, operationId: port.id, participantId: eric.id })
})

describe('search by names and numbers', () => {
  test.each([
    'eloise',
    'LEFÈVRE',
    'lefe',
    'lefevre elo',
    'eloise@exemple.fr',
    '06.11.22.33.47',
    'erables',
    'leffevre',
    'lefvre eloise',
    'elosie',
  ])('finds a person by %s', async (q) => {
    expect(await find(admin, q)).toContainEqual({
      kind: 'participant',
      id: eloise.id,
      title: 'Éloïse Lefèvre',
      detail: 'Appartement 12 · Les Lilas',
      to: `/participants?participant=${eloise.id}`,
    })
  })

  test.each([PRM, '300 123 456 789 17', '5678917'])('finds a point by %s and links to its curve', async (q) => {
    expect(await find(admin, q)).toEqual([
      {
        kind: 'point',
        id: point.id,
        title: `PRM ${PRM}`,
        detail: 'Consommation · Appartement 12 · Éloïse Lefèvre · Les Lilas',
        to: `/companies/${admin.companyId}/operations/${lilas.id}/load-curves/${point.id}`,
      },
    ])
  })

  test('does not tolerate typing errors in a number', async () => {
    expect(await find(admin, '30012345678971')).toEqual([])
  })

  test('finds an operation by name, number or town, and ranks a name above a town', async () => {
    for (const q of ['les lilas', 'acc00000537', 'lila', 'lials']) expect(await titles(admin, q)).toContain('Les Lilas')
    await makeOperation(server.db, { companyId: admin.companyId, name: 'Villeurbanne Sud', city: 'Lyon' })
    const found = await find(admin, 'villeurbanne')
    expect(found.map(({ title }) => title)).toEqual(['Villeurbanne Sud', 'Les Lilas', 'Éloïse Lefèvre'])
  })

  test('ranks a word that begins with the query above one that contains it', async () => {
    const { companyId } = admin
    for (const name of ['Zoé Martinez', 'Martine Roux', 'Jean Saint-Martin', 'Alma Amartine'])
      await makeParticipant(server.db, { companyId, name })
    expect(await titles(admin, 'martin')).toEqual([
      'Martine Roux',
      'Zoé Martinez',
      'Jean Saint-Martin',
      'Alma Amartine',
    ])
  })

  test('limits the number of results to the best ones, prefixes included', async () => {
    const { companyId } = admin
    for (const n of [1, 2, 3, 4, 5, 6]) await makeParticipant(server.db, { companyId, name: `Ada Amartine ${n}` })
    await makeParticipant(server.db, { companyId, name: 'Zoé Martinez' })
    const found = await titles(admin, 'martin')
    expect([found[0], found.length]).toEqual(['Zoé Martinez', 6])
  })

  test('finds nothing for a single letter, for punctuation or for an unknown text', async () => {
    for (const q of ['', 'e', '%', '_____', 'xylophone']) expect([q, await find(admin, q)]).toEqual([q, []])
  })
})

/** Creates a file of each kind and a project, all called « Brise ». */
async function fill({ companyId }: Who) {
  const [file] = await server.db
    .insert(files)
    .values({ companyId, name: 'convention-brise.pdf', mediaType: 'application/pdf', size: 17, sha256: 'b' })
    .returning()
  const fileId = file?.id ?? ''
  const prices = { localPrice: 1217, gridPrice: 1952, surplusPrice: 613, investmentPerKwc: 113_700 }
  const place = { name: 'Projet Brise', kind: 'other', status: 'study' }
  const [project] = await server.db
    .insert(projects)
    .values({ companyId, ...place, ...prices })
    .returning()
  const owner = { ownerKind: 'operation', ownerId: lilas.id, addedBy: 'Camille' }
  await server.db.insert(documents).values({ companyId, fileId, label: 'Convention signée', ...owner })
  const ofProject = { ownerKind: 'project', ownerId: project?.id ?? '', addedBy: 'Camille' }
  await server.db.insert(documents).values({ companyId, fileId, label: 'Plan brise', ...ofProject })
  await server.db.insert(curveImports).values({ companyId, fileId, name: 'courbes-brise.csv', status: 'done' })
  const flow = {
    name: 'R63-brise.zip',
    sha256: 'b',
    status: 'read',
    size: 17,
    source: 'upload',
    receivedAt: new Date(),
  }
  await server.db.insert(distributorFiles).values({ companyId, fileId, ...flow })
  return { project: project?.id ?? '' }
}

test('finds projects and files for users with the permission to read them', async () => {
  const { project } = await fill(admin)
  const found = (await find(admin, 'brise')).map(({ title, to }) => [title, to.replace(/[0-9a-f-]{36}$/, 'id')])
  expect(found).toEqual(
    expect.arrayContaining([
      ['Projet Brise', `/projects/id`],
      ['Convention signée', `/acc-operations/${lilas.id}?onglet=documents`],
      ['Plan brise', `/projects/${project}?onglet=documents`],
      ['courbes-brise.csv', '/enedis-data?onglet=imports&import=id'],
      ['R63-brise.zip', '/enedis-data?onglet=fichiers&q=R63-brise.zip'],
    ]),
  )
})

describe('search scope', () => {
  test('returns nothing of another company', async () => {
    await fill(admin)
    const other = await makeUser(server.db)
    for (const q of ['eloise', PRM, 'lilas', 'brise', 'leffevre']) expect([q, await find(other, q)]).toEqual([q, []])
  })

  test('returns the user’s operations and their members only', async () => {
    await fill(admin)
    const { companyId } = admin
    const limited = await makeUser(server.db, { companyId, role: 'manager', operationIds: [lilas.id] })
    expect(await titles(limited, 'vasseur')).toEqual([])
    expect(await titles(limited, 'vieux port')).toEqual([])
    expect(await titles(limited, 'eloise')).toEqual(['Éloïse Lefèvre'])
    expect(await titles(limited, 'brise')).toEqual(['Convention signée'])
  })

  test('does not reveal other operations of a member', async () => {
    const { companyId } = admin
    const autre = await makeOperation(server.db, { companyId, name: 'Secrète' })
    await makeParticipation(server.db, {
      companyId,
      operationId: autre.id,
      participantId: eloise.id,
      startsOn: '2026-03-01',
    })
    const limited = await makeUser(server.db, { companyId, role: 'manager', operationIds: [lilas.id] })
    expect((await find(admin, 'eloise'))[0]?.detail).toContain('Secrète')
    expect((await find(limited, 'eloise'))[0]?.detail).toBe('Appartement 12 · Les Lilas')
  })

  test('each kind of result needs its own permission', async () => {
    await fill(admin)
    const { companyId } = admin
    const as = async (...permissions: Parameters<typeof makeApiKey>[2]['permissions']) => {
      const who = await makeUser(server.db, { companyId, permissions })
      const words = ['eloise', 'lilas', 'brise', 'durand']
      const found = await Promise.all(words.map((q) => find(who, q)))
      return [...new Set(found.flat().map(({ to }) => to.split(/[?/]/)[1]))].sort()
    }
    expect(await as('energy.read')).toEqual([])
    expect(await as('participants.read')).toEqual(['participants'])
    expect(await as('operations.read')).toEqual(['acc-operations'])
    expect(await as('projects.read')).toEqual(['projects'])
    expect(await as('documents.read')).toEqual([])
    expect(await as('documents.read', 'projects.read')).toEqual(['projects'])
    expect(await as('curves.import')).toEqual(['enedis-data'])
    expect(await as('distributor-files.read')).toEqual(['enedis-data'])
    expect(await as('users.read')).toEqual(['users'])
  })

  test('in the portal, returns the user’s own points, and neither neighbours nor operations', async () => {
    const { companyId } = admin
    const client = await makeUser(server.db, { companyId, isAdmin: false })
    const own = await makeParticipant(server.db, { companyId, name: 'Camille Durand', userId: client.id })
    const home = await makePoint(server.db, { companyId, label: 'Maison des Érables' })
    await makeParticipation(server.db, { companyId, operationId: lilas.id, participantId: own.id, pointId: home.id })
    for (const q of ['eloise', PRM, 'lilas', 'camille', 'appartement'])
      expect([q, await find(client, q)]).toEqual([q, []])
    const [hit, ...more] = await find(client, 'maison erables')
    expect([hit?.to, more]).toEqual([`/client-portal/consumption?point=${home.id}`, []])
  })

  test('refuses API keys and calls without a session', async () => {
    const maker = await makeUser(server.db)
    const key = await makeApiKey(server.db, maker, { permissions: ['participants.read'] })
    expect((await call(server, search.find, { query: { q: 'eloise' } }, { token: key })).status).toBe(403)
    expect((await call(server, search.find, { query: { q: 'eloise' } })).status).toBe(401)
  })
})

test('everybody finds published content; only editors find drafts', async () => {
  const desk = await makeSiteAdmin(server.db)
  const live = buildContentDraft({ title: 'Zéphyr publié', slug: 'zephyr' })
  const row = { companyId: desk.companyId, kind: 'article', updatedBy: 'Camille' }
  await server.db.insert(contents).values([
    {
      ...row,
      slug: 'zephyr',
      status: 'published',
      live,
      draft: { ...live, title: 'Aquilon à venir' },
      publishedAt: new Date(),
    },
    { ...row, slug: 'mistral', status: 'draft', draft: buildContentDraft({ title: 'Mistral secret' }) },
  ])
  const client = await makeUser(server.db, { companyId: (await makeCompany(server.db)).id, isAdmin: false })
  for (const who of [admin, client]) {
    expect((await find(who, 'zephyr')).map(({ to }) => to)).toEqual(['/resources/actualites/zephyr'])
    expect(await find(who, 'mistral')).toEqual([])
    expect(await find(who, 'aquilon')).toEqual([])
  }
  expect((await find(desk, 'mistral')).map(({ to }) => to.split('?')[0])).toEqual(['/cms-admin'])
})

import { projects as endpoints } from '@voisol/contract/projects'
import { addDays } from '@voisol/energy/calendar'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import {
  buildCandidateLine,
  buildProjectUpdate,
  buildRoofLine,
  makeProject,
} from '../../../../test/factories-analytics.ts'
import { makeMeter } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { auditEntries } from '../../../db/schema/index.ts'
import { getToday } from '../../../today.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
beforeEach(async () => {
  admin = await makeUser(server.db)
})

const make = (more = {}) => makeProject(server, admin.token, more)
const get = async (id: string) => (await call(server, endpoints.get, { params: { id } }, admin)).body
const move = (id: string, status: string, version: number) =>
  call(server, endpoints.move, { params: { id }, body: { status, version } }, admin)
const update = (project: { id: string }, change: Record<string, unknown>) =>
  call(server, endpoints.update, { params: { id: project.id }, body: buildProjectUpdate(project, change) }, admin)

describe('creating a project', () => {
  test('requires a name and a kind, with default prices and steps', async () => {
    const { status, body } = await call(server, endpoints.create, { body: { name: 'Halle', kind: 'authority' } }, admin)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'prospect',
      localPrice: 1200,
      gridPrice: 2016,
      surplusPrice: 400,
      investmentPerKwc: 120_000,
      perimeter: 'extended',
      zone: 'metropole',
      method: 'default',
      peakWatts: 0,
      yearlyKwh: 0,
      version: 1,
      roofs: [],
      candidates: [],
      notes: [],
      study: null,
      studyStale: false,
      spread: null,
      findings: [],
      transitions: ['study', 'abandoned'],
    })
    expect(body.steps).toHaveLength(9)
    expect(body.steps.at(-1)).toEqual({ title: 'Mise en service', dueOn: addDays(getToday(), 270), doneOn: null })
    expect(body.nextStep).toEqual({ title: body.steps[0].title, dueOn: addDays(getToday(), 14), late: false })
  })

  test('ends the steps on the target day, compressed when it is near', async () => {
    const dues = async (days: number) =>
      (await make({ targetOn: addDays(getToday(), days) })).steps.map(({ dueOn }: { dueOn: string }) => dueOn)
    const [near, far, past] = [await dues(135), await dues(300), await dues(-5)]
    expect([near[0], near.at(-1)]).toEqual([addDays(getToday(), 7), addDays(getToday(), 135)])
    expect([far[0], far.at(-1)]).toEqual([addDays(getToday(), 44), addDays(getToday(), 300)])
    expect(new Set(past)).toEqual(new Set([getToday()]))
  })

  test('refuses a repeated PRM and a foreign point, each at its line', async () => {
    const stranger = await makeUser(server.db)
    const foreign = await makeMeter(server.db, { companyId: stranger.companyId })
    const candidates = [
      buildCandidateLine(1),
      buildCandidateLine(2, { prm: buildCandidateLine(1).prm }),
      buildCandidateLine(3, { pointId: foreign.id }),
    ]
    const body = { name: 'Halle', kind: 'other', candidates }
    const answer = await call(server, endpoints.create, { body }, admin)
    expect(answer.status).toBe(422)
    expect(answer.body.issues.map((issue: { path: string }) => issue.path)).toEqual([
      'candidates.1.prm',
      'candidates.2.pointId',
    ])
    expect(answer.body.message).toContain('est déjà celui de Voisin 1')
    const wrong = await call(
      server,
      endpoints.create,
      { body: { ...body, candidates: [buildCandidateLine(1, { prm: '12' })] } },
      admin,
    )
    expect(wrong.body.issues).toEqual([
      { path: 'candidates.0.prm', message: 'Un PRM compte quatorze chiffres, par exemple 19 125 759 625 988.' },
    ])
  })
})

describe('updating a project', () => {
  test('replaces the lists in the order sent, and records it in the audit log', async () => {
    const project = await make({ roofs: [buildRoofLine()], candidates: [buildCandidateLine(1), buildCandidateLine(2)] })
    const roofs = [buildRoofLine({ building: 'École' }), buildRoofLine({ building: 'Gymnase', peakWatts: 99_500 })]
    const candidates = Array.from({ length: 12 }, (_, n) => buildCandidateLine(12 - n))
    const { status, body } = await update(project, { roofs, candidates, city: 'Lyon' })
    expect(status).toBe(200)
    expect(body).toMatchObject({ roofs, candidates, city: 'Lyon', peakWatts: 135_500, yearlyKwh: 36_000, version: 2 })
    const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, admin.companyId))
    expect(entries.at(-1)?.detail).toMatchObject({
      projectId: project.id,
      before: { city: '' },
      after: { city: 'Lyon' },
    })
  })

  test('refuses an outdated version and shows what is stored', async () => {
    const project = await make()
    await update(project, { city: 'Lyon' })
    const { status, body } = await update(project, { city: 'Bron' })
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'stale' })
    expect(body.issues).toEqual([{ path: 'city', message: 'Enregistré entre-temps\u00a0: «\u00a0Lyon\u00a0».' }])
  })

  test('ticks a step and shows the next one, marked when late', async () => {
    const project = await make()
    const steps = project.steps.map((step: object, n: number) =>
      n === 0 ? { ...step, doneOn: getToday() } : n === 1 ? { ...step, dueOn: addDays(getToday(), -1) } : step,
    )
    const { body } = await update(project, { steps })
    expect(body.nextStep).toMatchObject({ title: steps[1].title, late: true })
  })
})

test('names the farthest points and the perimeter rule, and caps the power', async () => {
  const far = buildCandidateLine(1, { name: 'Ferme du Haut', latitude: 45.8, longitude: 4.85 })
  const project = await make({
    roofs: [buildRoofLine({ peakWatts: 5_000_000 })],
    candidates: [far, buildCandidateLine(2, { latitude: null })],
  })
  expect(project.spread).toEqual({ metres: 4448, from: 'Bâtiment A', to: 'Ferme du Haut' })
  expect(project.findings.map(({ severity }: { severity: string }) => severity)).toEqual([
    'refused',
    'refused',
    'warning',
  ])
  expect(project.findings[0]).toMatchObject({ rule: 'arrêté du 21 novembre 2019 modifié' })
  const { body } = await update(project, { perimeter: 'periurban', roofs: [buildRoofLine()], candidates: [far] })
  expect(body.findings.map(({ severity }: { severity: string }) => severity)).toEqual(['warning'])
})

test('follows the allowed states, and runs only through an operation', async () => {
  const { id } = await make()
  expect((await move(id, 'agreement', 1)).body.code).toBe('invalid-transition')
  expect((await move(id, 'study', 1)).body).toMatchObject({ status: 'study', version: 2 })
  expect((await move(id, 'agreement', 2)).body.transitions).toEqual(['study', 'abandoned'])
  const refused = await move(id, 'running', 3)
  expect(refused.status).toBe(409)
  expect(refused.body.message).toContain('quand son opération est créée')
  expect((await move(id, 'study', 2)).body.code).toBe('stale')
  expect((await move(id, 'abandoned', 3)).body).toMatchObject({ status: 'abandoned', nextStep: null })
  expect((await move(id, 'prospect', 4)).status).toBe(200)
})

test('signs notes and lists the newest first', async () => {
  const { id } = await make()
  const note = (text: string) => call(server, endpoints.note, { params: { id }, body: { text } }, admin)
  await note('Réunion du conseil syndical')
  const { body } = await note('Accord de principe')
  expect(body.notes.map(({ text }: { text: string }) => text)).toEqual([
    'Accord de principe',
    'Réunion du conseil syndical',
  ])
  expect(body.notes[0].author).toBe(`${admin.firstName} ${admin.lastName}`)
  expect((await note('  ')).status).toBe(422)
})

describe('the list of projects', () => {
  test('filters, searches without accents, sorts by figures and pages', async () => {
    await make({ name: 'École Jean-Macé', kind: 'authority', roofs: [buildRoofLine({ peakWatts: 9000 })] })
    await make({
      name: 'Zone des Érables',
      kind: 'industrial',
      city: 'Vénissieux',
      roofs: [buildRoofLine(), buildRoofLine()],
    })
    await make({ name: 'Alizés' })
    const names = async (query: Record<string, string>) =>
      (await call(server, endpoints.list, { query }, admin)).body.items.map(({ name }: { name: string }) => name)
    expect(await names({})).toEqual(['Alizés', 'École Jean-Macé', 'Zone des Érables'])
    expect(await names({ sort: '-peakWatts' })).toEqual(['Zone des Érables', 'École Jean-Macé', 'Alizés'])
    expect(await names({ q: 'venissieux erables' })).toEqual(['Zone des Érables'])
    expect(await names({ kind: 'authority' })).toEqual(['École Jean-Macé'])
    expect(await names({ size: '2', page: '2' })).toEqual(['Zone des Érables'])
    for (const sort of [
      'status',
      'city',
      'targetOn',
      'createdAt',
      'nextStep',
      'yearlyKwh',
      'candidates',
      'payback',
      'selfConsumption',
    ])
      expect(await names({ sort })).toHaveLength(3)
  })

  test('exports the filtered rows', async () => {
    await make({ name: 'École', kind: 'authority', roofs: [buildRoofLine()], candidates: [buildCandidateLine(1)] })
    await make({ name: 'Usine', kind: 'industrial' })
    const { text } = await call(server, endpoints.export, { query: { kind: 'authority' } }, admin)
    const lines = text.trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain('École;Prospect;Collectivité;;69003')
    const { headers } = await call(server, endpoints.export, { query: { format: 'xlsx' } }, admin)
    expect(headers['content-type']).toContain('spreadsheetml')
  })
})

test('deletes a project with its lists, and hides it from another company', async () => {
  const project = await make({ roofs: [buildRoofLine()], candidates: [buildCandidateLine(1)] })
  const stranger = await makeUser(server.db)
  for (const e of [endpoints.get, endpoints.remove, endpoints.study])
    expect((await call(server, e, { params: { id: project.id } }, stranger)).status).toBe(404)
  expect((await call(server, endpoints.list, {}, stranger)).body.total).toBe(0)
  expect((await call(server, endpoints.remove, { params: { id: project.id } }, admin)).body).toEqual({ success: true })
  expect(await get(project.id)).toMatchObject({ code: 'not-found' })
})

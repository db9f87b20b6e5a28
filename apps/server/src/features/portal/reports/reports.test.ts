import { createHash } from 'node:crypto'
import { energy } from '@voisol/contract/energy'
import type { FilledBlock } from '@voisol/contract/report-content'
import { reports as api } from '@voisol/contract/reports'
import { whiteLabel } from '@voisol/contract/white-label'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { and, eq } from 'drizzle-orm'
import { beforeAll, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { MARCH_PERIOD, makeReportFixture } from '../../../../test/factories-analytics.ts'
import { issueMonthDocuments, makeMonthFixture } from '../../../../test/factories-invoices.ts'
import { useServer } from '../../../../test/server.ts'
import { storeFile } from '../../../core/stored-files.ts'
import { transaction } from '../../../db/client.ts'
import { events, participants, reports, sellers } from '../../../db/schema/index.ts'

const server = useServer()
let scene: Awaited<ReturnType<typeof makeReportFixture>>
beforeAll(async () => {
  scene = await makeReportFixture(server)
})

const paperOf = async (id: string, token = scene.token) =>
  server.app.inject({ url: `/api/reports/${id}/file`, headers: { authorization: `Bearer ${token}` } })
const figureOf = (blocks: FilledBlock[], source: string) =>
  blocks.find((block) => block.kind === 'figure' && block.source === source)

test('a monthly report equals the screens and keeps its content', async () => {
  const { make, auth, operation, companyId } = scene
  const { body: made, status } = await make()
  expect(status).toBe(200)
  expect(made).toMatchObject({
    title: 'Rapport mensuel d’opération',
    number: 1,
    period: '2025-03',
    subjectName: operation.name,
  })
  const { body: kept } = await call(server, api.get, { params: { id: made.id } }, auth)
  const { body: summary } = await call(
    server,
    energy.summary,
    { query: { ...MARCH_PERIOD, operationId: operation.id } },
    auth,
  )
  expect(summary.current.produced).toBe(613 * 743)
  expect(figureOf(kept.content.blocks, 'produced')).toMatchObject({ figure: '455', unit: 'kWh', note: '' })
  expect(figureOf(kept.content.blocks, 'selfConsumption')).toMatchObject({ figure: '100,0', unit: '%' })
  expect(figureOf(kept.content.blocks, 'co2')).toMatchObject({ note: expect.stringContaining(summary.co2.source) })
  expect(kept.content.notes).toEqual(['La répartition de la période n’est pas encore définitive.'])
  const [told] = await server.db
    .select()
    .from(events)
    .where(and(eq(events.companyId, companyId), eq(events.object, made.id)))
  expect(told).toMatchObject({ name: 'report.issued', data: { subjectId: operation.id, number: 1 } })
})

test('the PDF contains the text, tags and fonts, and its bytes match the stored hash', async () => {
  const { make, operation } = scene
  const { body: made } = await make()
  const answer = await paperOf(made.id)
  expect(answer.headers['content-type']).toBe('application/pdf')
  expect(createHash('sha256').update(answer.rawPayload).digest('hex')).toBe(made.file.sha256)
  const pdf = new Uint8Array(answer.rawPayload)
  const text = extractPdfText(pdf).replaceAll('\u00a0', ' ')
  for (const words of [
    operation.name,
    'mars 2025',
    'Énergie produite',
    '455',
    'Une journée moyenne',
    'À savoir en lisant',
  ])
    expect(text).toContain(words)
  expect(text).not.toMatch(/NaN|Infini|undefined|null|[□\0]/)
  const raw = answer.rawPayload.toString('latin1')
  for (const mark of ['/Lang (fr-FR)', '/MarkInfo', '/S /H1', '/S /Table', '/S /TH', '/S /Figure', '/FontFile2'])
    expect(raw, mark).toContain(mark)
  // Charts are vector drawings with an alternative text, and there is no bitmap.
  expect(raw).not.toContain('/Subtype /Image')
  expect(raw.match(/\/Alt \(/g)?.length).toBeGreaterThanOrEqual(3)
})

test('making a report again creates another version, and the first cannot be changed', async () => {
  const { make, auth, subject } = { ...scene, subject: { period: '2025-02' } }
  const first = (await make(subject)).body
  const second = (await make(subject)).body
  expect([first.number, second.number]).toEqual([1, 2])
  const { body: list } = await call(server, api.list, { query: { subject: 'operation' } }, auth)
  expect(list.items.map(({ id }: { id: string }) => id)).toEqual(expect.arrayContaining([first.id, second.id]))
  await expect(server.db.update(reports).set({ period: '2025-01' }).where(eq(reports.id, first.id))).rejects.toThrow()
})

test('missing data is mentioned and is not zero', async () => {
  const { make, auth } = scene
  const { body: made } = await make({ period: '2025-02' })
  const { content } = (await call(server, api.get, { params: { id: made.id } }, auth)).body
  expect(figureOf(content.blocks, 'produced')).toMatchObject({ figure: '—', unit: '' })
  expect(content.notes).toContain('Aucun relevé n’est connu sur cette période.')
  const chart = content.blocks.find(
    ({ kind, source }: { kind: string; source?: string }) => kind === 'chart' && source === 'course',
  )
  expect(new Set(chart.series.flatMap(({ values }: { values: unknown[] }) => values))).toEqual(new Set([null]))
  const year = (await make({ template: 'impact-year', period: '2025' })).body
  const whole = (await call(server, api.get, { params: { id: year.id } }, auth)).body.content
  const months = whole.blocks.find(({ kind }: { kind: string }) => kind === 'chart').series[0].values
  expect(months.map((value: number | null) => value !== null)).toEqual(Array.from({ length: 12 }, (_, at) => at === 2))
  expect(whole.notes).toContainEqual(expect.stringContaining('des relevés attendus sont arrivés'))
})

test('refuses a period of another kind or in the future on its field', async () => {
  const { make } = scene
  for (const wanted of [{ period: '2025' }, { period: '2098-01' }, { template: 'assembly-year', period: '2025-03' }]) {
    const { status, body } = await make(wanted)
    expect([status, body.issues?.[0]?.path]).toEqual([422, 'period'])
  }
})

test('uses the name of the company, and its colour once configured', async () => {
  const { make, auth, companyId } = scene
  const body = { version: 0, primaryColor: '#8a1e3a', companyName: 'Soleil des Lilas' }
  await call(server, whiteLabel.update, { params: { companyId }, body }, auth)
  const { body: made } = await make()
  const kept = (await call(server, api.get, { params: { id: made.id } }, auth)).body
  expect(kept.content.brand).toMatchObject({ name: 'Soleil des Lilas', colour: '#8a1e3a' })
  expect(extractPdfText(new Uint8Array((await paperOf(made.id)).rawPayload))).toContain('Soleil des Lilas')
})

/** A PNG of one red pixel. */
const LOGO = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC',
  'base64',
)

test('a supported logo appears once, and an unreadable one is left out', async () => {
  const { make, auth, companyId } = scene
  const pictures = async (content: Uint8Array, extension: string) => {
    const file = { name: `brand-pictures/logo.${extension}`, mediaType: 'image/png', content }
    const { id } = await transaction(server.db, (tx) => storeFile(tx, server.deps.files, companyId, file))
    const customLogo = `/api/companies/${companyId}/brand-pictures/${id}.${extension}`
    const { body: now } = await call(server, whiteLabel.get, { params: { companyId } }, auth)
    await call(server, whiteLabel.update, { params: { companyId }, body: { version: now.version, customLogo } }, auth)
    const paper = await paperOf((await make()).body.id)
    return [paper.statusCode, paper.rawPayload.toString('latin1').split('/Subtype /Image').length - 1]
  }
  expect(await pictures(LOGO, 'png')).toEqual([200, 1])
  expect(await pictures(LOGO.subarray(0, 20), 'png')).toEqual([200, 0])
  expect(await pictures(Buffer.from('<svg/>'), 'svg')).toEqual([200, 0])
})

test('a preview is the PDF and stores nothing', async () => {
  const { asked, token, auth } = scene
  const count = async () => (await call(server, api.list, { query: {} }, auth)).body.total
  const before = await count()
  const url = `/api/reports/preview?${new URLSearchParams(asked)}`
  const answer = await server.app.inject({ url, headers: { authorization: `Bearer ${token}` } })
  expect(extractPdfText(new Uint8Array(answer.rawPayload))).toContain('Aperçu')
  expect(await count()).toBe(before)
  const framed = { 'x-frame-options': 'SAMEORIGIN', 'content-security-policy': "frame-ancestors 'self'" }
  const always = { 'x-content-type-options': 'nosniff', 'cache-control': 'no-store' }
  expect(answer.headers).toMatchObject({ ...framed, ...always, 'content-type': 'application/pdf' })
  expect(answer.headers['content-disposition']).toMatch(/^inline; /)
  // An iframe sends only the cookie; an error is text that the page around it can read.
  expect((await server.app.inject({ url, cookies: { token } })).statusCode).toBe(200)
  const refused = await server.app.inject({ url })
  expect([refused.statusCode, refused.headers['content-type']]).toEqual([401, expect.stringContaining('json')])
  expect(refused.headers).toMatchObject({ ...framed, ...always })
  // The frame policy of the preview does not apply to other PDFs of this kind.
  const { body: made } = await scene.make()
  expect((await paperOf(made.id)).headers).toMatchObject({ 'x-frame-options': 'DENY' })
})

test('a user without permission for its data can neither make nor read a report', async () => {
  const { make, companyId, asked } = scene
  const who = await makeUser(server.db, { companyId, permissions: ['reports.read', 'reports.write', 'energy.read'] })
  expect((await make({}, who)).status).toBe(200)
  expect((await make({ template: 'assembly-year', period: '2025' }, who)).status).toBe(403)
  const { body: money } = await make({ template: 'assembly-year', period: '2025' })
  expect((await call(server, api.get, { params: { id: money.id } }, who)).status).toBe(404)
  expect((await paperOf(money.id, who.token)).statusCode).toBe(404)
  const { items } = (await call(server, api.list, { query: { size: 100 } }, who)).body
  expect(items.map(({ id }: { id: string }) => id)).not.toContain(money.id)
  const stranger = await makeUser(server.db)
  expect((await call(server, api.make, { body: asked }, stranger)).status).toBe(404)
  expect((await call(server, api.preview, { query: asked }, stranger)).status).toBe(404)
})

test('yearly reports of participants and producers follow their invoices, visible in their own portal only', async () => {
  const admin = await makeUser(server.db)
  const { companyId } = admin
  const client = await makeUser(server.db, { companyId, isAdmin: false })
  const other = await makeUser(server.db, { companyId, isAdmin: false })
  const world = await makeMonthFixture(server.db, { companyId, members: 2, month: '2025-10', userId: client.id })
  await issueMonthDocuments(server.db, world)
  const [mine] = world.people
  const make = (template: string, subjectId: string) =>
    call(server, api.make, { body: { template, subjectId, period: '2025' } }, admin)
  const { body: own } = await make('participant-year', mine?.participant.id ?? '')
  const { content } = (await call(server, api.get, { params: { id: own.id } }, client)).body
  expect(figureOf(content.blocks, 'suppliedGross')).toMatchObject({
    unit: '€',
    figure: expect.stringMatching(/^\d+,\d\d$/),
  })
  const [rows] = content.blocks.filter(({ source }: { source?: string }) => source === 'supplied')
  expect(rows.rows.map(([month]: string[]) => month)).toEqual(['Octobre 2025', 'Total'])
  await make('participant-year', world.people[1]?.participant.id ?? '')
  const listOf = async (token: string) => (await call(server, api.list, { query: {} }, { token })).body
  expect((await listOf(client.token)).items.map(({ id }: { id: string }) => id)).toEqual([own.id])
  expect((await listOf(other.token)).total).toBe(0)
  expect((await paperOf(own.id, other.token)).statusCode).toBe(404)

  const [roof] = await server.db
    .insert(participants)
    .values({ companyId, kind: 'person', name: 'Toit', userId: other.id })
    .returning()
  await server.db
    .update(sellers)
    .set({ participantId: roof?.id ?? null })
    .where(eq(sellers.id, world.seller.id))
  const { body: sold } = await make('producer-year', world.seller.id)
  expect((await listOf(other.token)).items.map(({ id }: { id: string }) => id)).toEqual([sold.id])
  expect(sold.subjectName).toBe(world.seller.name)
})

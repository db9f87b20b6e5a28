import { getBlockSource, isSourceAllowed, REPORT_FIGURES } from '@voisol/contract/report-blocks'
import { reports as api } from '@voisol/contract/reports'
import { extractPdfText } from '@voisol/documents/testing/pdf-text'
import { expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { PRESETS } from './report-templates.ts'

const server = useServer()
const copy = (who: { token: string }, name: string, preset = 'operation-month') =>
  call(server, api.createTemplate, { body: { preset, name } }, who)
const save = (who: { token: string }, id: string, body: object) =>
  call(server, api.updateTemplate, { params: { id }, body }, who)

test('every preset has only blocks that fit its subject and period', () => {
  for (const { blocks, subject, span } of Object.values(PRESETS))
    for (const block of blocks) {
      const source = getBlockSource(block)
      expect(source === null || isSourceAllowed(source, subject, span)).toBe(true)
    }
  expect(isSourceAllowed(REPORT_FIGURES.suppliedGross, 'participant', 'month')).toBe(false)
})

test('a copy has the order and texts of the company, and reports use them', async () => {
  const admin = await makeUser(server.db)
  const { body: own } = await copy(admin, 'Lettre aux voisins')
  expect(own).toMatchObject({ preset: 'operation-month', version: 1, blocks: PRESETS['operation-month'].blocks })
  const blocks = [
    { kind: 'text', title: 'Chers voisins', text: 'Merci à toutes et à tous.\n\nÀ bientôt.' },
    { kind: 'figure', source: 'shared' },
  ]
  const saved = await save(admin, own.ref, { name: 'Lettre', blocks, version: 1 })
  expect(saved.body).toMatchObject({ name: 'Lettre', blocks, version: 2 })
  expect((await save(admin, own.ref, { name: 'Lettre', blocks, version: 1 })).body.code).toBe('stale')
  const { id: subjectId } = await makeOperation(server.db, { companyId: admin.companyId })
  const body = { template: own.ref, subjectId, period: '2025-03' }
  const { body: made } = await call(server, api.make, { body }, admin)
  const { content } = (await call(server, api.get, { params: { id: made.id } }, admin)).body
  expect(content.blocks.map(({ kind }: { kind: string }) => kind)).toEqual(['text', 'figure'])
  const headers = { authorization: `Bearer ${admin.token}` }
  const paper = await server.app.inject({ url: `/api/reports/${made.id}/file`, headers })
  expect(extractPdfText(new Uint8Array(paper.rawPayload))).toContain('Chers voisins')
})

test('refuses an unsuitable block at its position, and a duplicate name', async () => {
  const admin = await makeUser(server.db)
  const { body: own } = await copy(admin, 'Le nôtre')
  const blocks = [
    { kind: 'figure', source: 'shared' },
    { kind: 'table', source: 'sales' },
  ]
  const refused = await save(admin, own.ref, { name: 'Le nôtre', blocks, version: 1 })
  expect([refused.status, refused.body.issues[0].path]).toEqual([422, 'blocks.1'])
  expect((await copy(admin, 'Le nôtre')).body).toMatchObject({ code: 'conflict', issues: [{ path: 'name' }] })
})

test('a template used by a schedule cannot be removed', async () => {
  const admin = await makeUser(server.db)
  const { body: own } = await copy(admin, 'Programmé')
  const { id: subjectId } = await makeOperation(server.db, { companyId: admin.companyId })
  const body = { template: own.ref, subjectId, month: null, day: 3, recipientIds: [admin.id] }
  const { body: schedule } = await call(server, api.createSchedule, { body }, admin)
  const remove = () => call(server, api.removeTemplate, { params: { id: own.ref } }, admin)
  expect((await remove()).status).toBe(409)
  await call(server, api.removeSchedule, { params: { id: schedule.id } }, admin)
  expect((await remove()).status).toBe(200)
  const { items } = (await call(server, api.templates, {}, admin)).body
  expect(items).toHaveLength(5)
})

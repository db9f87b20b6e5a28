import { documents as endpoints } from '@voisol/contract/documents'
import { eq } from 'drizzle-orm'
import { beforeEach, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { auditEntries, files, projects } from '../../../db/schema/index.ts'

const server = useServer()
let admin: Awaited<ReturnType<typeof makeUser>>
let owner: { ownerKind: string; ownerId: string }
beforeEach(async () => {
  admin = await makeUser(server.db)
  const { id } = await makeOperation(server.db, { companyId: admin.companyId })
  owner = { ownerKind: 'operation', ownerId: id }
})

const PDF = Buffer.from('%PDF-1.7 convention')
const add = (name: string, upload = PDF, more: Record<string, string> = {}) =>
  call(server, endpoints.add, { query: { ...owner, name, ...more }, upload }, admin)
const list = async () => (await call(server, endpoints.list, { query: owner }, admin)).body.items
const content = (id: string, who = admin) => call(server, endpoints.content, { params: { id } }, who)
const remove = (id: string, who = admin) => call(server, endpoints.remove, { params: { id } }, who)

describe('documents of an operation', () => {
  test('are stored, listed and downloaded unchanged', async () => {
    const { status, body } = await add('convention.pdf', PDF, { label: 'Convention signée' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      label: 'Convention signée',
      name: 'convention.pdf',
      mediaType: 'application/pdf',
      size: PDF.length,
      addedBy: `${admin.firstName} ${admin.lastName}`,
    })
    expect(await list()).toEqual([body])
    const answer = await content(body.id)
    expect(answer.text).toBe(PDF.toString())
    expect(answer.headers).toMatchObject({ 'content-type': 'application/pdf', 'x-content-type-options': 'nosniff' })
    expect(answer.headers['content-disposition']).toBe("attachment; filename*=UTF-8''convention.pdf")
    const entries = await server.db.select().from(auditEntries).where(eq(auditEntries.companyId, admin.companyId))
    expect(entries.at(-1)?.detail).toMatchObject({ operationId: owner.ownerId, after: { name: 'convention.pdf' } })
  })

  test('keep their own file each when uploaded together', async () => {
    const bodies = [
      await add('statuts.pdf', Buffer.from('%PDF statuts')),
      await add('plan.pdf', Buffer.from('%PDF plan')),
    ]
    expect((await list()).map(({ name }: { name: string }) => name).sort()).toEqual(['plan.pdf', 'statuts.pdf'])
    for (const { body } of bodies) expect((await content(body.id)).text).toBe(`%PDF ${body.name.replace('.pdf', '')}`)
  })

  test('lose the folders of their name, and download an HTML page as a file', async () => {
    expect((await add('C:\\Bureau\\..\\statuts.docx')).body).toMatchObject({
      name: 'statuts.docx',
      label: 'statuts.docx',
    })
    expect((await add('../../etc/passwd')).body.name).toBe('passwd')
    expect((await add('dossier/..')).body.issues).toMatchObject([{ path: 'name' }])
    const { body } = await add('page.html', Buffer.from('<script>alert(1)</script>'))
    const { headers } = await content(body.id)
    expect(headers['content-disposition']).toMatch(/^attachment/)
  })

  test('refuse an empty or too large file with a French message', async () => {
    const empty = await server.app.inject({
      method: 'POST',
      url: '/api/documents',
      query: { ...owner, name: 'vide.pdf' },
      payload: Buffer.alloc(0),
      headers: { authorization: `Bearer ${admin.token}`, 'content-type': 'application/octet-stream' },
    })
    expect(empty.statusCode).toBe(422)
    expect(empty.json().message).toContain('est vide')
    const { status, body } = await add('gros.bin', Buffer.alloc(20_000_001))
    expect({ status, code: body.code }).toEqual({ status: 413, code: 'too-large' })
    expect(await list()).toEqual([])
  })

  test('store equal content once, and delete it with the last document that uses it', async () => {
    const [one, two] = [(await add('a.pdf')).body, (await add('b.pdf')).body]
    const rows = await server.db.select().from(files).where(eq(files.companyId, admin.companyId))
    expect(new Set(rows.map((row) => row.sha256)).size).toBe(1)
    const key = `${admin.companyId}/${rows[0]?.sha256}`
    expect((await remove(one.id)).body).toEqual({ success: true })
    expect((await content(two.id)).text).toBe(PDF.toString())
    await remove(two.id)
    await waitUntil(async () => (await server.deps.files.get(key)) === undefined)
    expect(await list()).toEqual([])
    expect((await content(two.id)).status).toBe(404)
  })
})

test('stores documents of a project', async () => {
  const values = {
    companyId: admin.companyId,
    name: 'Halle',
    kind: 'copropriete',
    status: 'prospect',
    localPrice: 1200,
    gridPrice: 2016,
    surplusPrice: 400,
    investmentPerKwc: 120_000,
  }
  const [project] = await server.db.insert(projects).values(values).returning()
  owner = { ownerKind: 'project', ownerId: project?.id ?? '' }
  expect((await add('plan.png')).body.mediaType).toBe('image/png')
  expect(await list()).toHaveLength(1)
})

test('refuses another company to find, add or delete documents', async () => {
  const { body } = await add('convention.pdf')
  const stranger = await makeUser(server.db)
  expect((await content(body.id, stranger)).status).toBe(404)
  expect((await remove(body.id, stranger)).status).toBe(404)
  expect((await call(server, endpoints.list, { query: owner }, stranger)).status).toBe(404)
  const foreign = { query: { ...owner, name: 'x.pdf' }, upload: PDF }
  expect((await call(server, endpoints.add, foreign, stranger)).status).toBe(404)
  expect(await list()).toHaveLength(1)
})

import { endpoints } from '@voisol/contract'
import { documents } from '@voisol/contract/documents'
import type { Endpoint } from '@voisol/contract/endpoint'
import { support } from '@voisol/contract/support'
import { beforeAll, expect, test } from 'vitest'
import { buildValidInput, formatEndpoint } from './access-bodies.ts'
import { makeEndpointParams } from './access-makers.ts'
import { call } from './client.ts'
import { makeSiteAdmin } from './factories.ts'
import { makeOperation } from './factories-energy.ts'
import { useServer } from './server.ts'

const server = useServer()
/** Files that a browser would open as a page, with types they may have been stored under. */
const PAGES: Record<string, string> = {
  'page.html': 'text/html; charset=utf-8',
  'page.xhtml': 'application/xhtml+xml',
  'dessin.svg': 'image/svg+xml',
  'donnees.xml': 'application/xml',
  'feuille.xsl': 'text/xml',
  'code.js': 'text/javascript',
  'style.css': 'TEXT/CSS ; charset=utf-8',
}
const SCRIPT = '<html xmlns="http://www.w3.org/1999/xhtml"><script>alert(1)</script></html>'
const fileEndpoints = endpoints.filter((e) => e.method === 'GET' && 'file' in e.response)
/** Endpoints that return the stored type of a file; all others set the type themselves. */
const AS_KEPT = [
  'GET /api/billing-mandates/:id/file',
  'GET /api/declarations/:id/file',
  'GET /api/documents/:id/content',
  'GET /api/mandates/:id/file',
  'GET /api/regulatory/:id/file',
  'GET /api/reports/:id/file',
  'GET /api/support/desk/files/:id',
]

let admin: Awaited<ReturnType<typeof makeSiteAdmin>>
beforeAll(async () => {
  admin = await makeSiteAdmin(server.db)
})

type Answer = Awaited<ReturnType<typeof call>>
const saved = ({ headers }: Answer) => ({
  type: headers['content-type'],
  saved: String(headers['content-disposition']).startsWith('attachment'),
  sniffed: headers['x-content-type-options'],
})
const SAVED = { type: 'application/octet-stream', saved: true, sniffed: 'nosniff' }
const keepAs = (type: string) =>
  server.asOwner('update files set media_type = $2, name = $3 where company_id = $1', [
    admin.companyId,
    type,
    'page.html',
  ])

test.each(Object.keys(PAGES))(
  '%s uploaded as a document and with a ticket is served for download, never opened',
  async (file) => {
    const { id: ownerId } = await makeOperation(server.db, { companyId: admin.companyId })
    const query = { ownerKind: 'operation', ownerId, name: file }
    const upload = Buffer.from(SCRIPT)
    const { id } = (await call(server, documents.add, { query, upload }, admin)).body
    expect(saved(await call(server, documents.content, { params: { id } }, admin))).toEqual(SAVED)
    const sent = await call(server, support.attach, { query: { name: file }, upload }, admin)
    // Some types are not even accepted with a ticket.
    if (sent.status === 422) return expect(sent.body.message).toContain('n’est pas accepté')
    const attached = sent.body
    const body = { subject: 'Une page', body: 'La voici.', category: 'other', fileIds: [attached.id], about: null }
    expect((await call(server, support.create, { body }, admin)).status).toBe(200)
    expect(saved(await call(server, support.file, { params: { id: attached.id } }, admin))).toEqual(SAVED)
  },
)

test('every file endpoint sets its own type, or one that no browser opens', async () => {
  const [opened, found] = [[] as string[], [] as string[]]
  const ask = async (e: Endpoint, params: Record<string, unknown>) =>
    call(server, e, { ...buildValidInput(e), params }, admin)
  for (const e of fileEndpoints) {
    const params = await makeEndpointParams(server, e, admin)
    await keepAs('application/x-marked')
    const answer = await ask(e, params)
    if (answer.status !== 200 || answer.headers['content-type'] !== 'application/x-marked') continue
    found.push(formatEndpoint(e))
    for (const type of Object.values(PAGES)) {
      await keepAs(type)
      const saving = saved(await ask(e, params))
      if (JSON.stringify(saving) !== JSON.stringify(SAVED))
        opened.push(`${formatEndpoint(e)} ${type}: ${JSON.stringify(saving)}`)
    }
  }
  expect(found.sort()).toEqual(AS_KEPT)
  expect(opened).toEqual([])
})

test('an image of the site whose row says it is a page is not served as one', async () => {
  const image = fileEndpoints.find((e) => formatEndpoint(e) === 'GET /api/site-images/:id')
  if (!image) throw new Error('pictures of the site have an endpoint')
  const params = await makeEndpointParams(server, image, admin)
  const typeOf = async (type: string) => {
    await server.asOwner('update site_images set media_type = $1', [type])
    return (await call(server, image, { params })).headers['content-type']
  }
  expect(await typeOf('image/webp')).toBe('image/webp')
  for (const type of Object.values(PAGES)) expect(await typeOf(type)).toBe('application/octet-stream')
})

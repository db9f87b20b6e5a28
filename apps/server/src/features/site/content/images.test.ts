import { content } from '@voisol/contract/content'
import { documents } from '@voisol/contract/documents'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { makeOperation } from '../../../../test/factories-energy.ts'
import { buildDistinctPng, makeContent, SMALLEST_PNG } from '../../../../test/factories-site.ts'
import { waitForJobs } from '../../../../test/jobs.ts'
import { useServer } from '../../../../test/server.ts'
import { waitUntil } from '../../../../test/wait.ts'
import { siteImages } from '../../../db/schema/index.ts'
import { parseImageHeader } from './images.ts'

const server = useServer()
let editor: Awaited<ReturnType<typeof makeSiteAdmin>>
beforeAll(async () => {
  editor = await makeSiteAdmin(server.db)
})

const add = (upload: Buffer, name = 'toit.png', who = editor) =>
  call(server, content.addImage, { query: { name }, upload }, who)
const show = (id: string) => server.app.inject({ url: `/api/site-images/${id}` })
const remove = (id: string) => call(server, content.removeImage, { params: { id } }, editor)

const box = (name: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts)
  const head = Buffer.alloc(8)
  head.writeUInt32BE(body.length + 8)
  head.write(name, 4, 'latin1')
  return Buffer.concat([head, body])
}
const be32 = (...values: number[]) =>
  Buffer.concat(values.map((value) => Buffer.from([value >>> 24, value >>> 16, value >>> 8, value])))
const webp = (chunk: string, body: number[]) =>
  Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBP'), Buffer.from(chunk), Buffer.alloc(4), Buffer.from(body)])

describe('the header of a picture', () => {
  test.each([
    ['image/png', SMALLEST_PNG, 1, 1],
    ['image/gif', Buffer.from([...Buffer.from('GIF89a'), 0x80, 2, 0xe0, 1, 0]), 640, 480],
    [
      'image/jpeg',
      Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 4, 1, 2, 0xff, 0xc2, 0, 17, 8, 1, 0xe0, 2, 0x80, 3, 1]),
      640,
      480,
    ],
    ['image/webp', webp('VP8 ', [0, 0, 0, 0x9d, 1, 0x2a, 0x80, 2, 0xe0, 1]), 640, 480],
    ['image/webp', webp('VP8L', [0x2f, 0x7f, 0xc2, 0x77, 0]), 640, 480],
    ['image/webp', webp('VP8X', [0, 0, 0, 0, 0x7f, 2, 0, 0xdf, 1, 0]), 640, 480],
    [
      'image/avif',
      Buffer.concat([
        box('ftyp', Buffer.from('avif\0\0\0\0mif1')),
        box('meta', box('ispe', be32(0, 64, 64)), box('ispe', be32(0, 640, 480))),
      ]),
      640,
      480,
    ],
  ])('%s is read from its bytes', (mediaType, bytes, width, height) => {
    expect(parseImageHeader(bytes)).toMatchObject({ mediaType, width, height })
    for (let n = 0; n < bytes.length; n++) expect(() => parseImageHeader(bytes.subarray(0, n))).not.toThrow()
  })
})

describe('images of the site', () => {
  test('are kept once, listed and shown to everybody', async () => {
    const { status, body } = await add(SMALLEST_PNG, 'C:\\photos\\toit.svg')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'toit.svg',
      mediaType: 'image/png',
      size: SMALLEST_PNG.length,
      width: 1,
      height: 1,
    })
    expect((await add(SMALLEST_PNG, 'autre.png')).body).toEqual(body)
    const answer = await show(body.id)
    expect(answer.rawPayload.equals(SMALLEST_PNG)).toBe(true)
    expect(answer.headers).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
    })
    expect((await call(server, content.images, { query: { q: 'toit' } }, editor)).body).toMatchObject({
      total: 1,
      items: [{ id: body.id, src: `/api/site-images/${body.id}` }],
    })
    expect((await show('00000000-0000-4000-8000-000000000000')).statusCode).toBe(404)
  })

  test('ten at once of the same picture are one', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => add(buildDistinctPng(10))))
    expect(new Set(answers.map(({ body }) => body.id)).size).toBe(1)
  })

  test.each([
    ['a drawing', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>')],
    ['a page', Buffer.from('<html><script>alert(1)</script>')],
    ['a document', Buffer.from('%PDF-1.7')],
    ['a picture cut short', SMALLEST_PNG.subarray(0, 20)],
    ['another box file', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic')],
  ])('%s is refused in French', async (_, upload) => {
    const { status, body } = await add(upload, 'image.png')
    expect(status).toBe(422)
    expect(body.issues[0]).toMatchObject({
      path: 'file',
      message: expect.stringContaining('PNG, JPEG, WebP, AVIF ou GIF'),
    })
  })

  test('one that is too big is refused, and another company adds none', async () => {
    expect((await add(Buffer.concat([SMALLEST_PNG, Buffer.alloc(5_000_000)]))).status).toBe(413)
    expect((await add(SMALLEST_PNG, 'a.png', await makeUser(server.db))).status).toBe(403)
  })

  test('stay as long as something published shows them', async () => {
    const [cover, inside] = [(await add(buildDistinctPng(1))).body, (await add(buildDistinctPng(2))).body]
    const one = await makeContent(server, editor, {
      imageId: cover.id,
      imageAlt: 'Un toit',
      body: `![a](${inside.src})`,
    })
    const card = (await call(server, content.read, { params: { kind: 'article', slug: one.slug } })).body
    expect(card.image).toEqual({ src: cover.src, alt: 'Un toit' })
    for (const { id } of [cover, inside]) {
      const { status, body } = await remove(id)
      expect(status).toBe(409)
      expect(body.detail).toContain(one.title)
    }
    await call(server, content.unpublish, { params: { id: one.id }, body: { version: 2 } }, editor)
    const [row] = await server.db.select().from(siteImages).where(eq(siteImages.id, cover.id))
    expect((await remove(cover.id)).status).toBe(200)
    expect((await show(cover.id)).statusCode).toBe(404)
    await waitUntil(async () => (await server.deps.files.get(`1/${row?.sha256}`)) === undefined)
    const again = await call(server, content.publish, { params: { id: one.id }, body: { version: 3 } }, editor)
    expect(again.body.issues[0].path).toBe('draft.imageId')
    const restore = { params: { id: one.id }, body: { version: 3, number: 1 } }
    expect((await call(server, content.restore, restore, editor)).body.draft.imageId).toBeNull()
  })

  test('outlive a document of the same content', async () => {
    const image = (await add(buildDistinctPng(3))).body
    const { id } = await makeOperation(server.db, { companyId: editor.companyId })
    const query = { ownerKind: 'operation', ownerId: id, name: 'toit.png' }
    const document = (await call(server, documents.add, { query, upload: buildDistinctPng(3) }, editor)).body
    await call(server, documents.remove, { params: { id: document.id } }, editor)
    await waitForJobs(server)
    expect((await show(image.id)).statusCode).toBe(200)
  })
})

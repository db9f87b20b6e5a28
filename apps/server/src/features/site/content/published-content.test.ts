import { content } from '@voisol/contract/content'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin } from '../../../../test/factories.ts'
import { makeContent } from '../../../../test/factories-site.ts'
import { useServer } from '../../../../test/server.ts'

const server = useServer()
let editor: Awaited<ReturnType<typeof makeSiteAdmin>>
beforeAll(async () => {
  editor = await makeSiteAdmin(server.db)
})

const read = (slug: string, kind = 'article') => call(server, content.read, { params: { kind, slug } })
const listed = async (kind: string, query: Record<string, string> = {}) =>
  (await call(server, content.published, { params: { kind }, query: { size: '100', ...query } })).body

describe('lists', () => {
  test('of the site: by shelf, by words, in order, with what is related', async () => {
    await makeContent(server, editor)
    const made = []
    for (const [i, category] of ['argent', 'donnees', 'argent', 'argent', 'argent'].entries())
      made.push(
        await makeContent(
          server,
          editor,
          { category, title: `Prix ${i}`, position: 50 - i, slug: `prix-${i}` },
          { kind: 'faq' },
        ),
      )
    const slugs = async (query: Record<string, string>) =>
      (await listed('faq', query)).items.map((item: { slug: string }) => item.slug)
    expect(await slugs({ category: 'argent', q: 'PRIX' })).toEqual(['prix-4', 'prix-3', 'prix-2', 'prix-0'])
    expect(await slugs({ q: 'prix 1' })).toEqual(['prix-1'])
    expect((await listed('faq', { q: 'prix', size: '2' })).total).toBe(5)
    const page = (await read('prix-1', 'faq')).body
    expect(page.related).toHaveLength(3)
    expect((await read('prix-2', 'faq')).body.related.map((card: { slug: string }) => card.slug)).toEqual([
      'prix-4',
      'prix-3',
      'prix-0',
    ])
    expect((await listed('faq', { q: 'prix' })).items[0].body[0].kind).toBe('heading')
    expect((await listed('article')).items[0].body).toBeNull()
    expect(made[0].path).toBe('/resources/faq#prix-0')
    expect((await call(server, content.published, { params: { kind: 'inconnu' } })).status).toBe(404)
  })

  test('of the desk: by kind, state and words', async () => {
    const one = await makeContent(server, editor, { title: 'Énergie du désert' }, { kind: 'article', publish: false })
    const list = (query: Record<string, string>) => call(server, content.list, { query }, editor)
    expect((await list({ q: 'energie desert', kind: 'article', status: 'draft' })).body).toMatchObject({
      total: 1,
      items: [{ id: one.id, hasChanges: false }],
    })
    expect((await list({ q: 'energie desert', status: 'published' })).body.total).toBe(0)
    for (let n = 0; n < 3; n++) await makeContent(server, editor)
    expect((await list({ sort: '-title', size: '3' })).body.items).toHaveLength(3)
  })
})

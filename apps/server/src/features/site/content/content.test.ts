import { content } from '@voisol/contract/content'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, test } from 'vitest'
import { call } from '../../../../test/client.ts'
import { makeSiteAdmin, makeUser } from '../../../../test/factories.ts'
import { buildContentDraft, makeContent } from '../../../../test/factories-site.ts'
import { useServer } from '../../../../test/server.ts'
import { loadSiteRevision } from '../../../core/site-owner.ts'
import { auditEntries, contents } from '../../../db/schema/index.ts'
import { XSS_SAMPLES } from '../../../prose/xss-corpus.ts'
import { publishDueContents } from './publish-content.ts'
import { findPublishedContent } from './published-content.ts'

const server = useServer()
let editor: Awaited<ReturnType<typeof makeSiteAdmin>>
beforeAll(async () => {
  editor = await makeSiteAdmin(server.db)
})

const create = (kind: string, draft: object) => call(server, content.create, { body: { kind, draft } }, editor)
const save = (id: string, version: number, draft: object, who = editor) =>
  call(server, content.save, { params: { id }, body: { version, draft } }, who)
const publish = (id: string, version: number, at: string | null = null) =>
  call(server, content.publish, { params: { id }, body: { version, at } }, editor)
const unpublish = (id: string, version: number) =>
  call(server, content.unpublish, { params: { id }, body: { version } }, editor)
const remove = (id: string) => call(server, content.remove, { params: { id } }, editor)
const read = (slug: string, kind = 'article') => call(server, content.read, { params: { kind, slug } })
const listed = async (kind: string, query: Record<string, string> = {}) =>
  (await call(server, content.published, { params: { kind }, query: { size: '100', ...query } })).body
const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString()

const oneLine = (text: string) => text.replace(/\p{Cc}+/gu, ' ').slice(0, 200)

describe('what an editor writes', () => {
  test('is read by nobody before it is published, and by everybody at once after', async () => {
    const draft = buildContentDraft({ body: '## Un toit\n\nPartagé.' })
    const { status, body } = await create('article', draft)
    expect(status).toBe(200)
    expect(body).toMatchObject({
      status: 'draft',
      hasChanges: false,
      version: 1,
      draft,
      path: `/resources/actualites/${draft.slug}`,
      updatedBy: `${editor.firstName} ${editor.lastName}`,
    })
    expect((await read(draft.slug)).status).toBe(404)
    const before = await loadSiteRevision(server.db)
    const published = (await publish(body.id, 1)).body
    expect(published).toMatchObject({ status: 'published', version: 2, hasChanges: false })
    expect(await loadSiteRevision(server.db)).toBe(before + 1)
    const page = (await read(draft.slug)).body
    expect(page).toMatchObject({ title: draft.title, readingMinutes: 1, publishedAt: published.publishedAt })
    expect(page.body[0]).toMatchObject({ kind: 'heading', id: 'un-toit' })
    expect((await listed('article')).items.map((item: { slug: string }) => item.slug)).toContain(draft.slug)
    expect(page).not.toHaveProperty('joinUrl')
  })

  test('changes what is shown only once it is published again', async () => {
    const one = await makeContent(server, editor, { title: 'Avant' })
    const before = await loadSiteRevision(server.db)
    const saved = (await save(one.id, 2, { ...one.draft, title: 'Après' })).body
    expect(saved).toMatchObject({ hasChanges: true, title: 'Après', status: 'published' })
    expect((await read(one.slug)).body.title).toBe('Avant')
    expect(await loadSiteRevision(server.db)).toBe(before)
    expect((await publish(one.id, 3)).body).toMatchObject({ hasChanges: false, publishedAt: one.publishedAt })
    expect((await read(one.slug)).body.title).toBe('Après')
  })

  test('can be taken off the site, shown again and, when it is not shown, removed', async () => {
    const one = await makeContent(server, editor)
    const refused = await remove(one.id)
    expect(refused.status).toBe(409)
    expect(refused.body.detail).toContain('retirez-le du site')
    expect((await unpublish(one.id, 2)).body.status).toBe('archived')
    expect((await read(one.slug)).status).toBe(404)
    expect((await unpublish(one.id, 3)).body).toMatchObject({ code: 'invalid-transition' })
    expect((await publish(one.id, 3)).body).toMatchObject({ status: 'published', publishedAt: one.publishedAt })
    await unpublish(one.id, 4)
    expect((await remove(one.id)).status).toBe(200)
    expect((await call(server, content.get, { params: { id: one.id } }, editor)).status).toBe(404)
    const entries = await server.db
      .select()
      .from(auditEntries)
      .where(eq(auditEntries.action, 'DELETE /api/cms/contents/:id'))
    expect(entries.at(-1)).toMatchObject({ target: one.title, detail: { contentId: one.id } })
  })

  test('two editors: the later is told what the other saved', async () => {
    const one = await makeContent(server, editor, { title: 'Commun' }, { publish: false })
    const other = await makeSiteAdmin(server.db)
    const texts = { ...one.draft, title: 'De l’un', body: 'Trois mots ici' }
    expect((await save(one.id, 1, texts)).status).toBe(200)
    const { status, body } = await save(one.id, 1, { ...one.draft, title: 'De l’autre' }, other)
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'stale' })
    expect(body.issues).toEqual([
      { path: 'draft.body', message: 'Enregistré entre-temps\u00a0: «\u00a0un texte de 3 mots\u00a0».' },
      { path: 'draft.title', message: 'Enregistré entre-temps\u00a0: «\u00a0De l’un\u00a0».' },
    ])
    expect((await publish(one.id, 1)).body.code).toBe('stale')
  })

  test.each(XSS_SAMPLES)('%j goes through as text', async (attack) => {
    const one = await makeContent(server, editor, { title: oneLine(attack), body: attack })
    const { body, text } = await read(one.slug)
    expect(body.body.length).toBeGreaterThan(0)
    expect(text).not.toMatch(/"(?:href|src)":"(?!https?:|mailto:|\/[^/\\]|#)/i)
  })

  test('characters that cannot be stored are left out', async () => {
    const { status, body } = await create('article', buildContentDraft({ body: 'a\ud800b\r\nc', title: 'Un titre' }))
    expect({ status, body: body.draft.body }).toEqual({ status: 200, body: 'a\ufffdb\nc' })
  })

  test('a title is one line, without signs that nobody sees', async () => {
    for (const title of ['Un titre\u0007', 'Un\r\ntitre']) {
      const { status, body } = await create('article', buildContentDraft({ title }))
      expect([status, body.issues[0].path]).toEqual([422, 'draft.title'])
    }
  })
})

describe('rules of a draft', () => {
  const issue = async (kind: string, more: object) => (await create(kind, buildContentDraft(more))).body.issues?.[0]

  test.each(['Majuscule', 'deux mots', '-a', 'a--b', 'é', '../x', '', 'a'.repeat(121)])(
    'the slug %j is refused',
    async (slug) => {
      expect(await issue('article', { slug })).toMatchObject({ path: 'draft.slug' })
    },
  )

  test('a slug is one content’s among those of its kind, and stays after the first publication', async () => {
    const one = await makeContent(server, editor)
    expect(await issue('article', { slug: one.slug })).toMatchObject({
      path: 'draft.slug',
      message: expect.stringContaining(one.slug),
    })
    expect(await issue('faq', { slug: one.slug, category: 'argent' })).toBeUndefined()
    const two = await makeContent(server, editor, {}, { publish: false })
    expect((await save(two.id, 1, { ...two.draft, slug: one.slug })).body.issues[0].path).toBe('draft.slug')
    expect((await save(two.id, 1, { ...two.draft, slug: `${two.slug}-bis` })).body.slug).toBe(`${two.slug}-bis`)
    await unpublish(one.id, 2)
    const { status, body } = await save(one.id, 3, { ...one.draft, slug: 'autre' })
    expect(status).toBe(422)
    expect(body.issues[0]).toMatchObject({
      path: 'draft.slug',
      message: expect.stringContaining('première publication'),
    })
  })

  test('twenty that want one address at once: one gets it', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => create('article', buildContentDraft({ slug: 'la-course' }))),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(422)])
  })

  test('a shelf is one of the kind’s, and moves no published page', async () => {
    expect(await issue('faq', { category: 'actualites' })).toMatchObject({
      path: 'draft.category',
      message: expect.stringContaining('comprendre, participer, argent, donnees, plateforme'),
    })
    const guide = await makeContent(server, editor, { category: 'operations' }, { kind: 'guide' })
    expect(guide.path).toBe(`/user-guide/${guide.slug}`)
    expect((await save(guide.id, 2, { ...guide.draft, category: 'donnees' })).status).toBe(200)
    const { body } = await save(guide.id, 3, { ...guide.draft, category: 'pratiques' })
    expect(body.issues[0].path).toBe('draft.category')
  })

  test('a webinar has a date before it is announced, and its link is never shown', async () => {
    const draft = buildContentDraft({ category: 'webinaires', joinUrl: 'https://visio.exemple.fr/secret' })
    const { body } = await create('webinar', draft)
    expect((await publish(body.id, 1)).body.issues[0].path).toBe('draft.startsAt')
    const startsAt = inAnHour()
    await save(body.id, 1, { ...draft, startsAt })
    expect((await publish(body.id, 2)).status).toBe(200)
    const page = await read(draft.slug, 'webinar')
    expect(page.body.startsAt).toBe(startsAt)
    expect(page.text + JSON.stringify(await listed('webinar'))).not.toContain('secret')
    expect((await findPublishedContent(server.db, 'webinar', draft.slug))?.draft.joinUrl).toBe(draft.joinUrl)
    expect(await findPublishedContent(server.db, 'article', draft.slug)).toBeUndefined()
  })

  test('the image must be there', async () => {
    expect(await issue('article', { imageId: '00000000-0000-4000-8000-000000000000' })).toMatchObject({
      path: 'draft.imageId',
    })
  })
})

describe('a date to come', () => {
  test('shows the content when it comes, as it is then', async () => {
    const one = await makeContent(server, editor, { title: 'Avant' }, { publish: false })
    const at = inAnHour()
    expect((await publish(one.id, 1, at)).body).toMatchObject({ status: 'scheduled', publishAt: at, publishedAt: null })
    await save(one.id, 2, { ...one.draft, title: 'Relu' })
    const run = () => publishDueContents(server.deps)
    expect(await run()).toBe(0)
    expect((await read(one.slug)).status).toBe(404)
    const past = new Date(Date.now() - 1000)
    await server.db.update(contents).set({ publishAt: past }).where(eq(contents.id, one.id))
    const before = await loadSiteRevision(server.db)
    expect((await Promise.all([run(), run()])).sort()).toEqual([0, 1])
    expect(await loadSiteRevision(server.db)).toBe(before + 1)
    expect((await read(one.slug)).body).toMatchObject({ title: 'Relu', publishedAt: past.toISOString() })
    const record = (await call(server, content.get, { params: { id: one.id } }, editor)).body
    expect(record).toMatchObject({
      status: 'published',
      publishAt: null,
      version: 4,
      updatedBy: 'Publication programmée',
    })
  })

  test('can be changed and called off; a past one is now; what is shown is not scheduled', async () => {
    const one = await makeContent(server, editor, {}, { publish: false })
    await publish(one.id, 1, inAnHour())
    expect((await publish(one.id, 2, inAnHour())).body.status).toBe('scheduled')
    expect((await unpublish(one.id, 3)).body).toMatchObject({ status: 'draft', publishAt: null })
    expect((await publish(one.id, 4, '2020-01-01T00:00:00Z')).body.status).toBe('published')
    const { status, body } = await publish(one.id, 5, inAnHour())
    expect({ status, code: body.code }).toEqual({ status: 409, code: 'invalid-transition' })
    expect(body.detail).toContain('déjà en ligne')
  })
})

describe('versions', () => {
  test('follow each other and can be taken up again', async () => {
    const one = await makeContent(server, editor, { title: 'Un', body: 'Un seul' })
    await save(one.id, 2, { ...one.draft, title: 'Deux', body: 'Deux *mots* ici' })
    const versions = async () => (await call(server, content.versions, { params: { id: one.id } }, editor)).body.items
    expect(await versions()).toMatchObject([
      { number: 3, event: 'saved', title: 'Deux', words: 3 },
      { number: 2, event: 'published', title: 'Un', words: 2 },
      { number: 1, event: 'created' },
    ])
    const version = (number: unknown) => call(server, content.version, { params: { id: one.id, number } }, editor)
    expect((await version(1)).body).toMatchObject({ draft: { title: 'Un' }, body: [{ kind: 'paragraph' }] })
    for (const number of [9, 0, 'x', 99_999_999_999]) expect((await version(number)).status).toBe(404)
    const restore = (v: number, number: number) =>
      call(server, content.restore, { params: { id: one.id }, body: { version: v, number } }, editor)
    expect((await restore(2, 1)).body.code).toBe('stale')
    expect((await restore(3, 77)).status).toBe(404)
    expect((await restore(3, 1)).body).toMatchObject({ title: 'Un', version: 4, status: 'published', slug: one.slug })
    expect((await versions())[0]).toMatchObject({ number: 4, event: 'restored' })
  })
})

test('a preview says what an editor should mend', async () => {
  const one = await makeContent(server, editor)
  const preview = async (body: string) => (await call(server, content.preview, { body: { body } }, editor)).body
  const fine = await preview(`## Titre\n\n[lire](/resources/actualites/${one.slug}) et [écrire](/contact)`)
  expect(fine).toMatchObject({ warnings: [], words: 4, readingMinutes: 1 })
  const { warnings } = await preview(
    '[a](/resources/actualites/jamais-ecrit)\n\n[b](/faq#jamais)\n\n![](/api/site-images/00000000-0000-4000-8000-000000000000)\n\n:::note',
  )
  expect(warnings).toHaveLength(5)
})

test('an administrator of another company and a client have no desk', async () => {
  const draft = buildContentDraft()
  for (const who of [
    await makeUser(server.db),
    await makeUser(server.db, { companyId: editor.companyId, isAdmin: false }),
  ]) {
    expect((await call(server, content.create, { body: { kind: 'article', draft } }, who)).status).toBe(403)
    expect((await call(server, content.list, {}, who)).status).toBe(403)
  }
})

import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { expect } from './people.ts'

type WrittenArticle = { id: string; slug: string; path: string; version: number; title: string }
type SiteAdmin = { request: APIRequestContext; token: string }

/** What no other test writes. */
export const uniqueTitle = (words: string) => `${words} ${randomUUID().slice(0, 8)}`
const buildHeaders = ({ token }: SiteAdmin) => ({ authorization: `Bearer ${token}` })

const buildDraft = (title: string, body = '## Une partie\n\nUn premier texte.') => ({
  title,
  slug: title
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-'),
  summary: 'Un texte écrit par un essai, qui dit en une phrase ce qu’il contient, et rien de plus.',
  category: 'actualites',
  body,
})

/** An article as the desk would make it, published or not. */
export async function createArticle(
  keeper: SiteAdmin,
  title: string,
  options: { body?: string; publish?: boolean } = {},
) {
  const post = async (path: string, data: object): Promise<WrittenArticle> => {
    const answer = await keeper.request.post(path, { headers: buildHeaders(keeper), data })
    expect(answer.status()).toBe(200)
    return answer.json()
  }
  const made = await post('/api/cms/contents', { kind: 'article', draft: buildDraft(title, options.body) })
  if (!options.publish) return made
  return post(`/api/cms/contents/${made.id}/publish`, { version: made.version, at: null })
}

/** Off the site and gone, in whatever state the test left it. */
export async function deleteArticle(keeper: SiteAdmin, title: string) {
  const list = `/api/cms/contents?q=${encodeURIComponent(title)}`
  const answer = await keeper.request.get(list, { headers: buildHeaders(keeper) })
  for (const { id, version, status } of (await answer.json()).items) {
    if (status === 'published')
      await keeper.request.post(`/api/cms/contents/${id}/unpublish`, {
        headers: buildHeaders(keeper),
        data: { version },
      })
    await keeper.request.delete(`/api/cms/contents/${id}`, { headers: buildHeaders(keeper) })
  }
}

export async function deletePictures(keeper: SiteAdmin, name: string) {
  const answer = await keeper.request.get(`/api/cms/images?q=${name}`, { headers: buildHeaders(keeper) })
  for (const { id } of (await answer.json()).items)
    await keeper.request.delete(`/api/cms/images/${id}`, { headers: buildHeaders(keeper) })
}

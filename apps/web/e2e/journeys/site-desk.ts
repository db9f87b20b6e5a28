import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { expect } from './people.ts'

type Written = { id: string; slug: string; path: string; version: number; title: string }
type Keeper = { request: APIRequestContext; token: string }

/** What no other test writes. */
export const unique = (words: string) => `${words} ${randomUUID().slice(0, 8)}`
const headers = ({ token }: Keeper) => ({ authorization: `Bearer ${token}` })

export const draftOf = (title: string, body = '## Une partie\n\nUn premier texte.') => ({
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
export async function write(keeper: Keeper, title: string, options: { body?: string; publish?: boolean } = {}) {
  const post = async (path: string, data: object): Promise<Written> => {
    const answer = await keeper.request.post(path, { headers: headers(keeper), data })
    expect(answer.status()).toBe(200)
    return answer.json()
  }
  const made = await post('/api/cms/contents', { kind: 'article', draft: draftOf(title, options.body) })
  if (!options.publish) return made
  return post(`/api/cms/contents/${made.id}/publish`, { version: made.version, at: null })
}

/** Off the site and gone, in whatever state the test left it. */
export async function erase(keeper: Keeper, title: string) {
  const list = `/api/cms/contents?q=${encodeURIComponent(title)}`
  const answer = await keeper.request.get(list, { headers: headers(keeper) })
  for (const { id, version, status } of (await answer.json()).items) {
    if (status === 'published')
      await keeper.request.post(`/api/cms/contents/${id}/unpublish`, { headers: headers(keeper), data: { version } })
    await keeper.request.delete(`/api/cms/contents/${id}`, { headers: headers(keeper) })
  }
}

export async function erasePictures(keeper: Keeper, name: string) {
  const answer = await keeper.request.get(`/api/cms/images?q=${name}`, { headers: headers(keeper) })
  for (const { id } of (await answer.json()).items)
    await keeper.request.delete(`/api/cms/images/${id}`, { headers: headers(keeper) })
}

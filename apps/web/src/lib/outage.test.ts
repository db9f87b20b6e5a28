import { QueryClient } from '@tanstack/react-query'
import { endpoint } from '@voisol/contract/endpoint'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { fakePage, fakeStorage } from './fake-browser.ts'
import { query } from './queries.ts'
import { dismissToast, toastStore } from './toast.ts'

const list = endpoint({
  method: 'GET',
  path: '/api/outage-test',
  access: 'public',
  summary: 'Essai',
  query: z.object({ q: z.string() }),
  response: z.object({ n: z.int() }),
})
const client = new QueryClient({ defaultOptions: { queries: { retry: 1, retryDelay: 0, networkMode: 'always' } } })
const asks = (q: string) => client.fetchQuery({ ...query(list, { query: { q } }), staleTime: 0 })
const answers = (...replies: (Response | Error)[]) => {
  const fetched = vi.fn(async () => {
    const next = replies.length > 1 ? replies.shift() : replies[0]
    if (!next || next instanceof Error) throw next ?? new Error('nothing')
    return next.clone()
  })
  vi.stubGlobal('fetch', fetched)
  return fetched
}
const ok = (n: number) => Response.json({ n })
const down = new TypeError('Failed to fetch')
const said = () => toastStore.read()

beforeEach(() => {
  fakeStorage()
  fakePage()
})
afterEach(() => {
  vi.unstubAllGlobals()
  dismissToast(said()?.id ?? 0)
  client.clear()
})

test('what was read stays when the server stops, and it is said once', async () => {
  answers(ok(1))
  await asks('a')
  const fetched = answers(down)
  expect(await asks('a')).toEqual({ n: 1 })
  expect(fetched).toHaveBeenCalledTimes(2)
  expect(said()).toMatchObject({ title: 'Ces données n’ont pas pu être rafraîchies', variant: 'destructive' })
  expect(said()?.description).toContain('Celles d’avant restent affichées.')
  const first = said()?.id
  await asks('a')
  expect(said()?.id).toBe(first)
  answers(ok(2))
  expect(await asks('a')).toEqual({ n: 2 })
  answers(new Response('', { status: 503 }))
  expect(await asks('a')).toEqual({ n: 2 })
  expect(said()?.id).not.toBe(first)
})

test('it is asked for again the next time it is shown', async () => {
  answers(ok(1))
  await asks('b')
  answers(down)
  await asks('b')
  await new Promise((resolve) => setTimeout(resolve))
  expect(client.getQueryState(query(list, { query: { q: 'b' } }).queryKey)?.isInvalidated).toBe(true)
})

test('what was never read, and what is refused, are told where they stand', async () => {
  answers(down)
  await expect(asks('c')).rejects.toThrow('Failed to fetch')
  answers(ok(1))
  await asks('d')
  answers(new Response('{}', { status: 404 }))
  await expect(asks('d')).rejects.toMatchObject({ status: 404 })
  expect(said()).toBeNull()
})

import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { defineEndpoint } from '@voisol/contract/endpoint'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { stubPage, stubStorage } from './fake-browser.ts'
import { clearOutage, query } from './queries.ts'
import { dismissToast, toastStore } from './toast.ts'

const list = defineEndpoint({
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
const getToast = () => toastStore.read()

beforeEach(() => {
  stubStorage()
  stubPage()
})
afterEach(() => {
  vi.unstubAllGlobals()
  dismissToast(getToast()?.id ?? 0)
  client.clear()
  clearOutage()
})

test('what was read stays when the server stops, and it is said once', async () => {
  answers(ok(1))
  await asks('a')
  const fetched = answers(down)
  expect(await asks('a')).toEqual({ n: 1 })
  expect(fetched).toHaveBeenCalledTimes(2)
  expect(getToast()).toMatchObject({ title: 'Le serveur ne répond plus', variant: 'destructive' })
  const first = getToast()?.id
  await asks('a')
  expect(getToast()?.id).toBe(first)
  answers(ok(2))
  expect(await asks('a')).toEqual({ n: 2 })
  answers(new Response('', { status: 503 }))
  expect(await asks('a')).toEqual({ n: 2 })
  expect(getToast()?.id).not.toBe(first)
  expect(getToast()?.description).toContain('Celles d’avant restent affichées.')
})

test('it is asked for again the next time it is shown', async () => {
  answers(ok(1))
  await asks('b')
  answers(down)
  await asks('b')
  const { queryKey } = query(list, { query: { q: 'b' } })
  await vi.waitFor(() => expect(client.getQueryState(queryKey)?.isInvalidated).toBe(true))
})

test('what was shown without an answer is asked for once the server speaks again', async () => {
  answers(down)
  const failed = new QueryObserver(client, { ...query(list, { query: { q: 'failed' } }), retryDelay: 0 })
  const leave = failed.subscribe(() => undefined)
  await vi.waitFor(() => expect(failed.getCurrentResult().isError).toBe(true))
  expect(getToast()?.title).toBe('Le serveur ne répond plus')
  answers(ok(7))
  await asks('other')
  await vi.waitFor(() => expect(failed.getCurrentResult().data).toEqual({ n: 7 }))
  leave()
})

test('a failure that has its own sentence, and what is refused, are told where they stand', async () => {
  answers(new Response('', { status: 500 }))
  await expect(asks('c')).rejects.toMatchObject({ status: 500 })
  answers(ok(1))
  await asks('d')
  answers(new Response('{}', { status: 404 }))
  await expect(asks('d')).rejects.toMatchObject({ status: 404 })
  expect(getToast()).toBeNull()
})

import { afterEach, expect, test, vi } from 'vitest'
import { buildResponse } from './fake-browser.ts'
import { DEFAULT_METADATA, fetchMetadata, readDocumentMetadata } from './metadata.ts'

afterEach(() => void vi.unstubAllGlobals())
const signal = new AbortController().signal
const stub = (response: () => Promise<Response>) => {
  const fetched = vi.fn(response)
  vi.stubGlobal('fetch', fetched)
  return fetched
}

test('what is written for an address is asked for by its path, the first page also as url', async () => {
  const served = { title: 'Écrit', description: DEFAULT_METADATA.description, keywords: ['toit'], previewImageUrl: '' }
  const fetched = stub(async () => buildResponse(served))
  expect(await fetchMetadata('/platform', signal)).toEqual({
    path: '/platform',
    title: 'Écrit',
    description: undefined,
    keywords: ['toit'],
  })
  await fetchMetadata('/', signal)
  expect(fetched.mock.calls.map(([url]: unknown[]) => url)).toEqual([
    '/api/seo/content?path=%2Fplatform',
    '/api/seo/content?path=%2F&url=%2F',
  ])
})

test('a failure is told in the console and changes nothing', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
  stub(async () => buildResponse('away', 503))
  expect(await fetchMetadata('/platform', signal)).toBeNull()
  stub(() => Promise.reject(new TypeError('offline')))
  expect(await fetchMetadata('/platform', signal)).toBeNull()
  expect(warn).toHaveBeenCalledTimes(2)
  warn.mockRestore()
})

test('a page that came rendered brings its own', () => {
  const elements: Record<string, string> = { description: 'Une page.', keywords: 'a, b' }
  const page = (rendered: string) =>
    vi.stubGlobal('document', {
      title: 'Écrit',
      getElementById: () => ({ dataset: { rendered } }),
      querySelector: (selector: string) => ({ getAttribute: () => elements[/"(\w+)"/.exec(selector)?.[1] ?? ''] }),
    })
  vi.stubGlobal('location', { pathname: '/platform' })
  page('true')
  expect(readDocumentMetadata()).toEqual({
    path: '/platform',
    title: 'Écrit',
    description: 'Une page.',
    keywords: ['a', 'b'],
  })
  page('false')
  expect(readDocumentMetadata()).toBeNull()
})

import { describe, expect, test } from 'vitest'
import { chooseEncoding, createPageCache, type PageOutcome } from './page-cache.ts'
import { parsePageAddress } from './pages.ts'

function fixture(limit?: number) {
  let clock = 0
  let made = 0
  let isTrue = false
  const cache = createPageCache<string>({ now: () => clock, ...(limit && { limit }) })
  const make = (outcome: PageOutcome) => async () => {
    const value = `${++made}`
    await new Promise((resolve) => setImmediate(resolve))
    return { value, outcome }
  }
  return {
    get: (key: string, revision: number | undefined, outcome: PageOutcome = 'lasting') =>
      cache.get(key, revision, { make: make(outcome), stillTrue: async () => isTrue }),
    pass: (milliseconds: number) => {
      clock += milliseconds
    },
    agree: () => {
      isTrue = true
    },
    size: cache.size,
  }
}

describe('cached pages', () => {
  test('are rendered once per revision of the site, for all who wait', async () => {
    const { get } = fixture()
    expect(await Promise.all([get('/', 1), get('/', 1), get('/', 1)])).toEqual(['1', '1', '1'])
    expect(await get('/', 1)).toBe('1')
    expect(await get('/platform', 1)).toBe('2')
  })

  test('are rendered again when the site changes, without reusing a started rendering', async () => {
    const { get } = fixture()
    expect(await Promise.all([get('/', 1), get('/', 2)])).toEqual(['1', '2'])
    expect(await get('/', 3)).toBe('3')
  })

  test('that the change does not concern stay until their minute has passed', async () => {
    const { get, agree, pass } = fixture()
    await get('/', 1)
    agree()
    expect(await get('/', 2)).toBe('1')
    pass(60_000)
    expect(await get('/', 3)).toBe('2')
  })

  test('are rendered again after a minute', async () => {
    const { get, pass } = fixture()
    await get('/', 1)
    pass(59_999)
    expect(await get('/', 1)).toBe('1')
    pass(1)
    expect(await get('/', 1)).toBe('2')
  })

  test('are served while the database is unavailable, whatever their age', async () => {
    const { get, pass } = fixture()
    await get('/', 1)
    pass(1e7)
    expect(await get('/', undefined)).toBe('1')
    expect(await get('/', 2, 'incomplete')).toBe('1')
    expect(await get('/other', undefined, 'incomplete')).toBe('3')
    expect(await get('/other', undefined)).toBe('4')
    expect(await get('/other', undefined)).toBe('5')
  })

  test('a removed page is not served from the cache', async () => {
    const { get } = fixture()
    await get('/article', 1)
    expect(await get('/article', 2, 'once')).toBe('2')
    expect(await get('/article', undefined, 'once')).toBe('3')
  })

  test('are limited in number: the least recently read is dropped', async () => {
    const { get, size } = fixture(2)
    await get('a', 1)
    await get('b', 1)
    await get('a', 1)
    await get('c', 1)
    expect(size()).toBe(2)
    expect(await get('a', 1)).toBe('1')
    expect(await get('b', 1)).toBe('4')
  })

  test('a failure is not cached', async () => {
    const cache = createPageCache<string>()
    await expect(cache.get('/', 1, { make: () => Promise.reject(new Error('no')) })).rejects.toThrow('no')
    expect(await cache.get('/', 1, { make: async () => ({ value: 'yes', outcome: 'lasting' }) })).toBe('yes')
  })
})

test('the cache key is the path and the query parameters that the page reads', () => {
  expect(parsePageAddress('/faq?utm_source=x&q=toit&page=2&q=autre')).toMatchObject({
    path: '/faq',
    read: '?page=2&q=toit',
  })
  expect(parsePageAddress('/faq/?a=1?b')).toMatchObject({ given: '/faq/', path: '/faq', query: '?a=1?b', read: '' })
  expect(parsePageAddress('//ailleurs.fr/')).toMatchObject({ path: '/ailleurs.fr' })
  expect(parsePageAddress('/\\\\ailleurs.fr')).toMatchObject({ path: '/ailleurs.fr' })
  expect(parsePageAddress('/')).toMatchObject({ given: '/', path: '/', query: '' })
})

test('the best encoding that the client accepts is chosen', () => {
  expect(chooseEncoding('gzip, deflate, br')).toBe('br')
  expect(chooseEncoding('br;q=0, gzip;q=0.5')).toBe('gzip')
  expect(chooseEncoding('identity')).toBe('identity')
  expect(chooseEncoding(undefined)).toBe('identity')
})

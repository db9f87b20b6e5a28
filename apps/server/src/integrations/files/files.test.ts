import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startS3Simulator } from '../../../test/s3.ts'
import { toAppError } from '../../http/errors.ts'
import { createFolderStore, type FileStore } from './files.ts'
import { createS3Store } from './s3.ts'

const folder = mkdtempSync(join(tmpdir(), 'voisol-files-'))
let s3: Awaited<ReturnType<typeof startS3Simulator>>
beforeAll(async () => {
  s3 = await startS3Simulator()
})
afterAll(async () => {
  await s3.close()
  rmSync(folder, { recursive: true })
})

const openS3 = () => {
  const store = createS3Store(s3.settings)
  if (!store) throw new Error('not configured')
  return store
}
const stores: [string, () => FileStore][] = [
  ['folder', () => createFolderStore(folder)],
  ['S3', openS3],
]

describe.each(stores)('%s store', (_, open) => {
  test('returns exactly the bytes that were stored', async () => {
    const content = Uint8Array.from({ length: 70_000 }, (_, i) => i % 256)
    await open().put('1/abc', content, 'application/pdf')
    expect(Buffer.from((await open().get('1/abc')) ?? [])).toEqual(Buffer.from(content))
  })

  test('stores a local file, and streams a content', async () => {
    const path = join(folder, 'given.bin')
    const content = Buffer.alloc(3_000_000, 'abc')
    writeFileSync(path, content)
    await open().putFile('5/path', path, 'application/zip')
    const pieces: Uint8Array[] = []
    for await (const piece of (await open().stream('5/path')) ?? []) pieces.push(piece)
    expect(Buffer.concat(pieces)).toEqual(content)
    expect(await open().stream('5/unknown')).toBeUndefined()
  })

  test('keeps the last of two contents, and an empty one', async () => {
    await open().put('1/twice', Buffer.from('avant'), 'text/plain')
    await open().put('1/twice', Buffer.from('après'), 'text/plain')
    expect(Buffer.from((await open().get('1/twice')) ?? []).toString()).toBe('après')
    await open().put('1/empty', new Uint8Array(), 'text/plain')
    expect((await open().get('1/empty'))?.length).toBe(0)
  })

  test('gives undefined for an unknown key, and deletes twice without an error', async () => {
    expect(await open().get('2/unknown')).toBeUndefined()
    await open().put('2/gone', Buffer.from('x'), 'text/plain')
    await open().remove('2/gone')
    await open().remove('2/gone')
    expect(await open().get('2/gone')).toBeUndefined()
  })

  test('adds a new key and never overwrites it, even with twenty at once', async () => {
    const content = (n: number) => Buffer.alloc(3000, n)
    expect(await open().add('6/days/first', content(7), 'text/plain')).toBe(true)
    expect(await open().add('6/days/first', content(8), 'text/plain')).toBe(false)
    expect(Buffer.from((await open().get('6/days/first')) ?? [])).toEqual(content(7))
    const added = await Promise.all(
      Array.from({ length: 20 }, (_, n) => open().add('6/days/race', content(n), 'text/plain')),
    )
    expect(added.filter(Boolean)).toHaveLength(1)
    expect(Buffer.from((await open().get('6/days/race')) ?? [])).toEqual(content(added.indexOf(true)))
  })

  test('lists the direct content of a folder, sorted', async () => {
    for (const key of ['7/b', '7/a', '7/c', '7/deeper/d', '70/e']) await open().put(key, Buffer.from('x'), 'text/plain')
    expect(await open().list('7')).toEqual(['7/a', '7/b', '7/c'])
    expect(await open().list('8')).toEqual([])
    await expect(open().list('../7')).rejects.toThrow('bad key')
  })

  test.each(['../etc/passwd', '1/../../x', '/absolute', '1//x', '1/.hidden', '', '1/a b', '1\\x'])(
    'refuses the key %j',
    async (key) => {
      await expect(open().put(key, Buffer.from('x'), 'text/plain')).rejects.toThrow('bad key')
      await expect(open().add(key, Buffer.from('x'), 'text/plain')).rejects.toThrow('bad key')
      await expect(open().get(key)).rejects.toThrow('bad key')
      await expect(open().remove(key)).rejects.toThrow('bad key')
    },
  )

  test('twenty writes at once on the same key leave one whole file', async () => {
    const content = (n: number) => Buffer.alloc(10_000, n)
    await Promise.all(Array.from({ length: 20 }, (_, n) => open().put('3/race', content(n), 'text/plain')))
    const kept = Buffer.from((await open().get('3/race')) ?? [])
    expect(kept.length).toBe(10_000)
    expect(new Set(kept).size).toBe(1)
  })
})

test('the folder contains no temporary file of a write', () => {
  expect(readdirSync(join(folder, '3'))).toEqual(['race'])
})

test('S3 objects carry their media type', () => {
  expect(s3.objects.get('1/abc')?.type).toBe('application/pdf')
})

test('an S3 store that fails briefly is retried; one that stays down is an error', async () => {
  s3.faults.push(503, 500)
  await openS3().put('4/retried', Buffer.from('x'), 'text/plain')
  s3.faults.push(503, 503, 503, 503)
  await expect(openS3().get('4/retried')).rejects.toThrow('answered 503')
})

test('an S3 store without conditional writes is checked for the key first', async () => {
  const simple = await startS3Simulator()
  simple.forgetConditions()
  const store = createS3Store(simple.settings)
  expect(await store?.add('6/first', Buffer.from('a'), 'text/plain')).toBe(true)
  expect(await store?.add('6/first', Buffer.from('b'), 'text/plain')).toBe(false)
  expect(simple.objects.get('6/first')?.content.toString()).toBe('a')
  simple.faults.push(501, 501, 501, 501)
  await expect(store?.put('6/other', Buffer.from('c'), 'text/plain')).rejects.toThrow('answered 501')
  await simple.close()
})

test('errors of a store are classified: to be fixed, temporary, or no space', async () => {
  const told = async (store: FileStore | undefined) =>
    toAppError(await store?.get('1/abc').catch((error: unknown) => error))
  expect(await told(createS3Store({ ...s3.settings, FILES_S3_SECRET: 'faux' }))).toMatchObject({
    status: 503,
    message: expect.stringContaining('L’exploitant doit revoir ses réglages'),
    retryAfter: 60,
  })
  s3.faults.push(503, 503, 503, 503)
  expect(await told(openS3())).toMatchObject({ status: 503, retryAfter: 5 })
  s3.faults.push(507, 507, 507, 507)
  expect(await told(openS3())).toMatchObject({ code: 'disk-full' })
})

test.each<[string, (store: FileStore) => Promise<unknown>]>([
  ['read', (store) => store.get('1/abc')],
  ['read piece by piece', (store) => store.stream('1/abc')],
  ['write', (store) => store.put('1/abc', Buffer.from('x'), 'text/plain')],
  ['write what is new', (store) => store.add('1/new', Buffer.from('x'), 'text/plain')],
  ['remove', (store) => store.remove('1/abc')],
  ['list', (store) => store.list('1')],
])(
  'a bucket policy that denies %s gives the operator a sentence, with nothing of what the store wrote',
  async (_, act) => {
    const store = openS3()
    s3.faults.push({ status: 403, body: '<Error><Code>AccessDenied</Code><Message>arn:aws:secret</Message></Error>' })
    const refusal = toAppError(await act(store).catch((error: unknown) => error))
    expect(refusal).toMatchObject({
      status: 503,
      message: expect.stringContaining('L’exploitant doit revoir ses réglages'),
    })
    expect(refusal?.message).not.toContain('arn:')
    expect(s3.objects.has('1/new')).toBe(false)
  },
)

test('S3 refusals and a missing bucket are errors', async () => {
  const wrong = createS3Store({ ...s3.settings, FILES_S3_KEY_ID: 'autre' })
  await expect(wrong?.get('1/abc')).rejects.toThrow('answered 403')
  const nowhere = createS3Store({ ...s3.settings, FILES_S3_BUCKET: 'ailleurs' })
  await expect(nowhere?.put('1/x', Buffer.from('x'), 'text/plain')).rejects.toThrow('not found')
})

describe('an S3 store that hangs', () => {
  const timeouts = { answerMs: 800, silenceMs: 800, restMs: 300 }
  const away = { code: 'STORE_AWAY' }
  const openImpatient = () => createS3Store(s3.settings, timeouts) ?? openS3()

  test('a call without an answer is refused in time, as a temporary failure', async () => {
    s3.faults.push('hang')
    const refusal = await openImpatient()
      .get('9/hung')
      .catch((error) => error)
    expect(refusal).toMatchObject(away)
    expect(toAppError(refusal)).toMatchObject({ status: 503, retryAfter: 5 })
    expect(toAppError(refusal)?.message).toContain('réessayez dans un instant')
  })

  test('after a call without an answer the next are refused at once, until a trial succeeds', async () => {
    const store = openImpatient()
    await store.put('9/kept', Buffer.from('gardé'), 'text/plain')
    s3.faults.push('hang', 'hang')
    await expect(store.get('9/kept')).rejects.toMatchObject(away)
    const before = s3.calls()
    await expect(Promise.all([store.get('9/kept'), store.put('9/x', Buffer.from('x'), 'text/plain')])).rejects.toThrow(
      'a moment ago',
    )
    expect(s3.calls()).toBe(before)
    await new Promise((resolve) => setTimeout(resolve, timeouts.restMs + 50))
    // One call tries again and hangs; the others are refused at once.
    const [trial, ...others] = await Promise.allSettled([store.get('9/kept'), store.get('9/kept'), store.get('9/kept')])
    expect([trial.status, ...others.map(({ status }) => status)]).toEqual(['rejected', 'rejected', 'rejected'])
    expect(s3.calls()).toBe(before + 1)
    await new Promise((resolve) => setTimeout(resolve, timeouts.restMs + 50))
    expect(Buffer.from((await store.get('9/kept')) ?? []).toString()).toBe('gardé')
    await Promise.all([store.get('9/kept'), store.get('9/kept')])
  })

  test('a content that stops halfway is an error, read whole or as a stream', async () => {
    const store = openImpatient()
    await store.put('9/half', Buffer.alloc(100_000, 'a'), 'text/plain')
    s3.faults.push('half')
    await expect(store.get('9/half')).rejects.toMatchObject(away)
    s3.faults.push('half')
    let received = 0
    const readAll = async () => {
      for await (const piece of (await store.stream('9/half')) ?? []) received += piece.byteLength
    }
    await expect(readAll()).rejects.toMatchObject(away)
    expect(received).toBeLessThan(100_000)
    expect((await store.get('9/half'))?.byteLength).toBe(100_000)
  })
})

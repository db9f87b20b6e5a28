import { openAsBlob } from 'node:fs'
import { AwsClient } from 'aws4fetch'
import type { Config } from '../../config.ts'
import { getErrorCauses } from '../../db/database-errors.ts'
import { type FileStore, requireSafeKey } from './files.ts'

type S3StoreConfig = Pick<
  Config,
  'FILES_S3_ENDPOINT' | 'FILES_S3_BUCKET' | 'FILES_S3_KEY_ID' | 'FILES_S3_SECRET' | 'FILES_S3_REGION'
>
/** Time for an upload over a slow line of half a megabyte a second, added to the wait for the answer. */
const SLOWEST_BYTES_PER_MS = 500
type S3Timeouts = {
  /** Until the first byte of an answer. */
  answerMs: number
  /** Between two chunks of a content. */
  silenceMs: number
  /** After a call without an answer: how long calls are refused at once before a single one tries again. */
  restMs: number
}
type S3RequestInit = { body?: Uint8Array<ArrayBuffer> | Blob; headers?: Record<string, string> }
const TIMEOUTS: S3Timeouts = { answerMs: 15_000, silenceMs: 30_000, restMs: 5000 }
/** The status codes for a key that exists already, and for a store without conditional writes. */
const ALREADY_PRESENT_STATUS = 412
const UNKNOWN_CONDITION_STATUS = 501
const FULL_STATUS = 507
const NOT_NEW = [404, ALREADY_PRESENT_STATUS, UNKNOWN_CONDITION_STATUS]

/** Distinguishes what the operator must fix from a temporary failure and from a full store. */
function createStoreError(what: string, status: number) {
  const code = status === FULL_STATUS ? 'STORE_FULL' : status >= 500 || status === 429 ? 'STORE_AWAY' : 'STORE_REFUSED'
  return Object.assign(new Error(`file store: ${what}`), { code })
}

const createStoreUnavailableError = (what: string, cause?: unknown) =>
  Object.assign(new Error(`file store: ${what}`, { cause }), { code: 'STORE_AWAY' })

/** Streams the content; if it stops halfway the stream ends with an error, where a reader would wait forever. */
function failWhenSilent(content: ReadableStream<Uint8Array<ArrayBuffer>>, silenceMs: number) {
  const reader = content.getReader()
  return new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const silence = Promise.withResolvers<never>()
      const timer = setTimeout(
        () => silence.reject(createStoreUnavailableError('the content stopped coming')),
        silenceMs,
      )
      try {
        const { done, value } = await Promise.race([reader.read(), silence.promise])
        if (done) controller.close()
        else controller.enqueue(value)
      } catch (error) {
        void reader.cancel().catch(() => {})
        throw createStoreUnavailableError('the content was cut', error)
      } finally {
        clearTimeout(timer)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}

/**
 * A store that does not answer would block every caller, and the database connection each may hold. After one call
 * without an answer, calls are refused at once, except one at a time that tries again.
 */
function createCircuitBreaker(restMs: number) {
  let silentSince: number | undefined
  let isTrying = false
  return async <T>(work: () => Promise<T>): Promise<T> => {
    const isTrial = silentSince !== undefined
    if (silentSince !== undefined && (isTrying || performance.now() - silentSince < restMs))
      throw createStoreUnavailableError('it did not answer a moment ago')
    if (isTrial) isTrying = true
    try {
      const result = await work()
      silentSince = undefined
      return result
    } catch (error) {
      if (getErrorCauses(error).some(({ name }) => name === 'TimeoutError')) silentSince = performance.now()
      throw error
    } finally {
      if (isTrial) isTrying = false
    }
  }
}

const readTags = (text: string, tag: string) =>
  [...text.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, value = '']) => value)

/** Any S3-compatible store, when FILES_S3_* is set. */
export function createS3Store(config: S3StoreConfig, timeouts: S3Timeouts = TIMEOUTS): FileStore | undefined {
  const { FILES_S3_ENDPOINT: endpoint, FILES_S3_BUCKET: bucket, FILES_S3_KEY_ID: id, FILES_S3_SECRET: secret } = config
  if (!endpoint || !bucket || !id || !secret) return undefined
  const client = new AwsClient({
    accessKeyId: id,
    secretAccessKey: secret,
    region: config.FILES_S3_REGION,
    service: 's3',
    // A failing store is retried three times within a second; beyond that the caller decides.
    retries: 3,
    initRetryMs: 100,
  })
  const unlessSilent = createCircuitBreaker(timeouts.restMs)
  const base = `${endpoint.replace(/\/$/, '')}/${bucket}`
  /** Waits for the headers of the answer; the body has a limit of its own. */
  const fetchHead = async (method: string, url: string, init: S3RequestInit, answerMs: number) => {
    const limit = new AbortController()
    const late = () => limit.abort(new DOMException('no answer in time', 'TimeoutError'))
    const timer = setTimeout(late, answerMs)
    try {
      return await client.fetch(url, { method, signal: limit.signal, ...init })
    } catch (error) {
      throw createStoreUnavailableError(`${method} was not answered`, error)
    } finally {
      clearTimeout(timer)
    }
  }
  const ask = async (method: string, url: string, init: S3RequestInit = {}, known = [404], sendingMs = 0) => {
    const response = await unlessSilent(() => fetchHead(method, url, init, timeouts.answerMs + sendingMs))
    if (!response.ok && !known.includes(response.status))
      throw createStoreError(`${method} answered ${response.status}`, response.status)
    return response
  }
  const request = async (method: string, key: string) => ask(method, `${base}/${requireSafeKey(key)}`)
  const contentOf = ({ body }: Response) => body && failWhenSilent(body, timeouts.silenceMs)
  /** Whether it was written: with `isNew`, the key may exist already. */
  const send = async (key: string, body: Uint8Array<ArrayBuffer> | Blob, mediaType: string, isNew = false) => {
    const type = { 'content-type': mediaType }
    const size = body instanceof Blob ? body.size : body.byteLength
    const write = (headers: Record<string, string>, known?: number[]) =>
      ask('PUT', `${base}/${requireSafeKey(key)}`, { body, headers }, known, Math.ceil(size / SLOWEST_BYTES_PER_MS))
    let response = isNew ? await write({ ...type, 'if-none-match': '*' }, NOT_NEW) : await write(type)
    if (response.status === UNKNOWN_CONDITION_STATUS) response = await write(type)
    if (response.status === 404) throw createStoreError(`bucket ${bucket} not found`, 404)
    return response.ok
  }
  return {
    async put(key, content, mediaType) {
      await send(key, new Uint8Array(content), mediaType)
    },
    async putFile(key, path, mediaType) {
      await send(key, await openAsBlob(path), mediaType)
    },
    async add(key, content, mediaType) {
      // Also checked by a read: some stores ignore the condition, and some reject it.
      if ((await request('GET', key)).ok) return false
      return send(key, new Uint8Array(content), mediaType, true)
    },
    async get(key) {
      const response = await request('GET', key)
      return response.ok ? new Uint8Array(await new Response(contentOf(response)).arrayBuffer()) : undefined
    },
    async stream(key) {
      const response = await request('GET', key)
      return response.ok ? (contentOf(response) ?? undefined) : undefined
    },
    async remove(key) {
      await request('DELETE', key)
    },
    async list(folder) {
      const keys: string[] = []
      let next: string | undefined
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix: `${requireSafeKey(folder)}/`, delimiter: '/' })
        if (next) query.set('continuation-token', next)
        const text = await new Response(contentOf(await ask('GET', `${base}?${query}`))).text()
        keys.push(...readTags(text, 'Key'))
        next = readTags(text, 'NextContinuationToken')[0]
      } while (next)
      return keys.sort()
    },
  }
}

import { openAsBlob } from 'node:fs'
import { AwsClient } from 'aws4fetch'
import type { Config } from '../../config.ts'
import { checkedKey, type FileStore } from './files.ts'

type Settings = Pick<
  Config,
  'FILES_S3_ENDPOINT' | 'FILES_S3_BUCKET' | 'FILES_S3_KEY_ID' | 'FILES_S3_SECRET' | 'FILES_S3_REGION'
>
const TIMEOUT_MS = 60_000
/** What is large takes longer: a slow line carries half a megabyte a second. */
const SLOWEST = 500
const STREAM_MS = 6 * 3_600_000
/** The answers of a store in which what was to be new is there already, and of one that does not know how to look. */
const PRESENT = 412
const UNKNOWN_CONDITION = 501
const FULL = 507
const NOT_NEW = [404, PRESENT, UNKNOWN_CONDITION]

/** What the operator has to mend is not the same as what a moment mends, or as a lack of room. */
function storeError(what: string, status: number) {
  const code = status === FULL ? 'STORE_FULL' : status >= 500 || status === 429 ? 'STORE_AWAY' : 'STORE_REFUSED'
  return Object.assign(new Error(`file store: ${what}`), { code })
}

const between = (text: string, tag: string) =>
  [...text.matchAll(new RegExp(`<${tag}>([^<]*)</${tag}>`, 'g'))].map(([, value = '']) => value)

/** Any S3-compatible store, when FILES_S3_* is set. */
export function s3Store(config: Settings): FileStore | undefined {
  const { FILES_S3_ENDPOINT: endpoint, FILES_S3_BUCKET: bucket, FILES_S3_KEY_ID: id, FILES_S3_SECRET: secret } = config
  if (!endpoint || !bucket || !id || !secret) return undefined
  const client = new AwsClient({
    accessKeyId: id,
    secretAccessKey: secret,
    region: config.FILES_S3_REGION,
    service: 's3',
    // A store in difficulty is asked again three times within a second; beyond that the caller decides.
    retries: 3,
    initRetryMs: 100,
  })
  const base = `${endpoint.replace(/\/$/, '')}/${bucket}`
  const ask = async (
    method: string,
    url: string,
    init: { body?: Uint8Array<ArrayBuffer> | Blob; headers?: Record<string, string> } = {},
    patience = TIMEOUT_MS,
    known = [404],
  ) => {
    const response = await client.fetch(url, { method, signal: AbortSignal.timeout(patience), ...init })
    if (!response.ok && !known.includes(response.status))
      throw storeError(`${method} answered ${response.status}`, response.status)
    return response
  }
  const request = async (method: string, key: string, patience?: number) =>
    ask(method, `${base}/${checkedKey(key)}`, {}, patience)
  /** Whether it was written: what was to be new may be there already. */
  const send = async (key: string, body: Uint8Array<ArrayBuffer> | Blob, mediaType: string, isNew = false) => {
    const type = { 'content-type': mediaType }
    const size = body instanceof Blob ? body.size : body.byteLength
    const write = (headers: Record<string, string>, known?: number[]) =>
      ask('PUT', `${base}/${checkedKey(key)}`, { body, headers }, TIMEOUT_MS + Math.ceil(size / SLOWEST), known)
    let response = isNew ? await write({ ...type, 'if-none-match': '*' }, NOT_NEW) : await write(type)
    if (response.status === UNKNOWN_CONDITION) response = await write(type)
    if (response.status === 404) throw storeError(`bucket ${bucket} not found`, 404)
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
      // Looked for as well: some stores do not know the condition, and some of them refuse it.
      if ((await request('GET', key)).ok) return false
      return send(key, new Uint8Array(content), mediaType, true)
    },
    async get(key) {
      const response = await request('GET', key)
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined
    },
    async stream(key) {
      const response = await request('GET', key, STREAM_MS)
      return response.ok ? (response.body ?? undefined) : undefined
    },
    async remove(key) {
      await request('DELETE', key)
    },
    async list(folder) {
      const keys: string[] = []
      let next: string | undefined
      do {
        const query = new URLSearchParams({ 'list-type': '2', prefix: `${checkedKey(folder)}/`, delimiter: '/' })
        if (next) query.set('continuation-token', next)
        const text = await (await ask('GET', `${base}?${query}`)).text()
        keys.push(...between(text, 'Key'))
        next = between(text, 'NextContinuationToken')[0]
      } while (next)
      return keys.sort()
    },
  }
}

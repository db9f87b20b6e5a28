import { openAsBlob } from 'node:fs'
import { AwsClient } from 'aws4fetch'
import type { Config } from '../../config.ts'
import { checkedKey, type FileStore } from './files.ts'

type Settings = Pick<
  Config,
  'FILES_S3_ENDPOINT' | 'FILES_S3_BUCKET' | 'FILES_S3_KEY_ID' | 'FILES_S3_SECRET' | 'FILES_S3_REGION'
>
const TIMEOUT_MS = 60_000

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
  const request = async (
    method: string,
    key: string,
    init: { body?: Uint8Array<ArrayBuffer> | Blob; headers?: Record<string, string> } = {},
  ) => {
    const url = `${endpoint.replace(/\/$/, '')}/${bucket}/${checkedKey(key)}`
    const response = await client.fetch(url, { method, signal: AbortSignal.timeout(TIMEOUT_MS), ...init })
    if (!response.ok && response.status !== 404) throw new Error(`file store: ${method} answered ${response.status}`)
    return response
  }
  const send = async (key: string, body: Uint8Array<ArrayBuffer> | Blob, mediaType: string) => {
    const response = await request('PUT', key, { body, headers: { 'content-type': mediaType } })
    if (!response.ok) throw new Error(`file store: bucket ${bucket} not found`)
  }
  return {
    put: async (key, content, mediaType) => send(key, new Uint8Array(content), mediaType),
    putFile: async (key, path, mediaType) => send(key, await openAsBlob(path), mediaType),
    async get(key) {
      const response = await request('GET', key)
      return response.ok ? new Uint8Array(await response.arrayBuffer()) : undefined
    },
    async stream(key) {
      const response = await request('GET', key)
      return response.ok ? (response.body ?? undefined) : undefined
    },
    async remove(key) {
      await request('DELETE', key)
    },
  }
}

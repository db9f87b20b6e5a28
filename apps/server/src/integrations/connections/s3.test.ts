import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startS3Simulator } from '../../../test/s3.ts'
import { sha256 } from '../../secrets.ts'
import { createOutboundClient } from '../post/outbound-client.ts'
import { s3Connector } from './s3.ts'

const tools = { outside: createOutboundClient({ inner: true }), weather: { local: null } }
let store: Awaited<ReturnType<typeof startS3Simulator>>
const folder = mkdtempSync(join(tmpdir(), 'voisol-s3-'))
beforeAll(async () => {
  store = await startS3Simulator()
})
afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

const opened = (more: object = {}) => ({
  hostKey: '',
  settings: {
    endpoint: store.settings.FILES_S3_ENDPOINT,
    region: 'eu-west-3',
    bucket: 'voisol',
    prefix: 'depot/',
    keyId: 'cle',
    secret: 'secret',
    ...more,
  },
})

test('the test writes and removes an object; a delivered file arrives unchanged under its prefix', async () => {
  expect((await s3Connector.test(tools, opened(), '')).message).toContain('écrit puis effacé')
  expect([...store.objects.keys()]).toEqual([])
  const content = Buffer.from(Array.from({ length: 70_001 }, (_, at) => (at * 31) % 256))
  const path = join(folder, 'source')
  writeFileSync(path, content)
  const hash = sha256(content).toString('hex')
  const parcel = { name: 'énergies 2026-05.parquet', path, bytes: content.length, sha256: hash, mediaType: 'text/csv' }
  await s3Connector.deliver?.(tools, opened(), parcel)
  expect([...store.objects]).toEqual([['depot/énergies 2026-05.parquet', { content, type: 'text/csv' }]])
})

const xml = (code: string) => `<?xml version="1.0"?><Error><Code>${code}</Code><Message>secret</Message></Error>`
test.each([
  [{ status: 403, body: xml('SignatureDoesNotMatch') }, 'refuse cette clé', true],
  [{ status: 403, body: xml('AccessDenied') }, 'n’a pas le droit d’écrire', true],
  [{ status: 400, body: xml('AuthorizationHeaderMalformed') }, 'une autre région', true],
  [{ status: 301, body: '' }, 'une autre région', true],
  [{ status: 404, body: xml('NoSuchBucket') }, 'n’existe pas', true],
  [{ status: 403, body: xml('QuotaExceeded') }, 'Le compartiment est plein', false],
  [{ status: 507, body: xml('XMinioStorageFull') }, 'Le compartiment est plein', false],
  [{ status: 503, body: xml('SlowDown') }, 'ralentir', false],
  [{ status: 500, body: '' }, 'a répondu 500', false],
  [{ status: 403, body: '<!doctype html><p>Portail</p>', type: 'text/html' }, 'une page HTML', false],
  [{ status: 200, body: '<html><p>Bienvenue</p></html>', type: 'text/html' }, 'une page HTML', false],
])('%j gives a sentence', async (fault, words, hopeless) => {
  store.faults.push(fault)
  const failed = await s3Connector.test(tools, opened(), '').catch((error: unknown) => error)
  expect(failed).toMatchObject({ message: expect.stringContaining(words), hopeless })
})

import { createHash, createHmac } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

const AUTHORIZATION_PATTERN =
  /^AWS4-HMAC-SHA256 Credential=cle\/(\d{8})\/(eu-west-3)\/s3\/aws4_request, SignedHeaders=([\w;-]+), Signature=([0-9a-f]{64})$/

const sha256 = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, data: string) => createHmac('sha256', key).update(data).digest()

/** Whether a call has a valid signature for this request (AWS Signature Version 4). */
function isSigned({ method, url = '', headers }: IncomingMessage, content: Buffer, secret: string): boolean {
  const [, day = '', region = '', names = '', signature] = AUTHORIZATION_PATTERN.exec(headers.authorization ?? '') ?? []
  const { pathname, searchParams } = new URL(url, 'http://s3.invalid')
  const query = [...searchParams].map((pair) => pair.map(encodeURIComponent).join('=')).sort()
  const contentHash = String(headers['x-amz-content-sha256'])
  if (contentHash !== 'UNSIGNED-PAYLOAD' && contentHash !== sha256(content)) return false
  const signed = names.split(';').map((name) => `${name}:${headers[name]}\n`)
  const requestHash = sha256([method, pathname, query.join('&'), signed.join(''), names, contentHash].join('\n'))
  const scope = [day, region, 's3', 'aws4_request']
  const key = scope.reduce<string | Buffer>((known, word) => hmac(known, word), `AWS4${secret}`)
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope.join('/'), requestHash].join('\n')
  return hmac(key, text).toString('hex') === signature
}

async function readRequestBody(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** Two keys per page, so that a list needs several calls. */
function buildListPage(objects: Map<string, unknown>, searchParams: URLSearchParams): string {
  const [prefix, from] = [searchParams.get('prefix') ?? '', Number(searchParams.get('continuation-token') ?? 0)]
  const all = [...objects.keys()].filter((key) => key.startsWith(prefix) && !key.slice(prefix.length).includes('/'))
  const keys = all.sort().slice(from, from + 2)
  const next = from + 2 < all.length ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : ''
  const contents = keys.map((key) => `<Contents><Key>${key}</Key></Contents>`).join('')
  return `<ListBucketResult>${next}${contents}</ListBucketResult>`
}

/** An S3 simulator with one bucket, `voisol`; calls without a valid signature are refused. */
export async function startS3Simulator(secret = 'secret') {
  const objects = new Map<string, { content: Buffer; type: string | undefined }>()
  const faults: ('hang' | 'half' | number | { status: number; body: string; type?: string })[] = []
  let conditions = true
  let calls = 0
  const server = createServer(async (request, response) => {
    const content = await readRequestBody(request)
    calls++
    const fault = faults.shift()
    if (fault === 'hang') return
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3.invalid')
    const [, bucket, ...rest] = decodeURIComponent(pathname).split('/')
    const key = rest.join('/')
    const answer = (status: number, body?: Buffer) => response.writeHead(status).end(body)
    // The headers and the first half of the content, then nothing more.
    if (fault === 'half') {
      const whole = objects.get(key)?.content ?? Buffer.alloc(2)
      response.writeHead(200, { 'content-length': whole.length }).write(whole.subarray(0, whole.length / 2))
      return
    }
    if (typeof fault === 'object')
      return response.writeHead(fault.status, { 'content-type': fault.type ?? 'application/xml' }).end(fault.body)
    if (fault) return answer(fault)
    if (!isSigned(request, content, secret)) return answer(403)
    if (bucket !== 'voisol') return answer(404)
    if (searchParams.has('list-type')) return answer(200, Buffer.from(buildListPage(objects, searchParams)))
    const isNew = request.headers['if-none-match'] === '*'
    if (isNew && !conditions) return answer(501)
    if (isNew && objects.has(key)) return answer(412)
    if (request.method === 'PUT') objects.set(key, { content, type: request.headers['content-type'] })
    if (request.method === 'DELETE') objects.delete(key)
    const found = objects.get(key)
    if (request.method === 'GET') return found ? answer(200, found.content) : answer(404)
    return answer(request.method === 'DELETE' ? 204 : 200)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo // listening on TCP
  return {
    settings: {
      FILES_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      FILES_S3_BUCKET: 'voisol',
      FILES_S3_KEY_ID: 'cle',
      FILES_S3_SECRET: secret,
      FILES_S3_REGION: 'eu-west-3',
    },
    objects,
    /** Some stores refuse conditional writes. */
    forgetConditions() {
      conditions = false
    },
    /** Statuses or whole answers for the next calls; `hang` gives no answer, `half` only the first half. */
    faults,
    /** Number of calls so far. */
    calls: () => calls,
    close() {
      // Hanging connections would block the end.
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    },
  }
}

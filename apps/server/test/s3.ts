import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

const SIGNED =
  /^AWS4-HMAC-SHA256 Credential=cle\/\d{8}\/eu-west-3\/s3\/aws4_request, SignedHeaders=\S+, Signature=[0-9a-f]{64}$/

async function read(request: IncomingMessage) {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** An S3 stand-in with one bucket, `voisol`; calls that are not signed are refused. */
export async function startS3() {
  const objects = new Map<string, { content: Buffer; type: string | undefined }>()
  const faults: number[] = []
  const server = createServer(async (request, response) => {
    const content = await read(request)
    const fault = faults.shift()
    const [, bucket, ...rest] = decodeURIComponent(request.url ?? '').split('/')
    const key = rest.join('/')
    const answer = (status: number, body?: Buffer) => response.writeHead(status).end(body)
    if (fault) return answer(fault)
    if (!SIGNED.test(request.headers.authorization ?? '')) return answer(403)
    if (bucket !== 'voisol') return answer(404)
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
      FILES_S3_SECRET: 'secret',
      FILES_S3_REGION: 'eu-west-3',
    },
    objects,
    /** Statuses that the next calls get whatever they ask. */
    faults,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

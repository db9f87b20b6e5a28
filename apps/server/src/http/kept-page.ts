import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { PageReply } from '../web-build.ts'

type Encoding = 'br' | 'gzip' | 'identity'
/** A rendered page with its compressed forms, each made once, on first use. */
export type CachedPage = { page: PageReply; tag: string; bodies: Map<Encoding, Promise<Buffer>> }

const QUALITY = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const COMPRESSORS = {
  br: (html: Buffer) => promisify(brotliCompress)(html, QUALITY),
  gzip: (html: Buffer) => promisify(gzip)(html, { level: 6 }),
  identity: async (html: Buffer) => html,
}

export function createCachedPage(page: PageReply): CachedPage {
  const tag = createHash('sha256').update(page.html).digest('base64url').slice(0, 22)
  return { page, tag, bodies: new Map([['identity', Promise.resolve(Buffer.from(page.html))]]) }
}

/** The best encoding that the client accepts; `q=0` means no. */
export function chooseEncoding(accepted: string | string[] | undefined): Encoding {
  const parts = String(accepted ?? '')
    .toLowerCase()
    .split(',')
    .map((part) => part.trim().split(/\s*;\s*q=/))
  const takes = (name: string) => parts.some(([given, quality]) => given === name && Number(quality ?? 1) > 0)
  return takes('br') ? 'br' : takes('gzip') ? 'gzip' : 'identity'
}

function getEncodedBody({ bodies }: CachedPage, encoding: Encoding): Promise<Buffer> {
  const known = bodies.get(encoding)
  if (known) return known
  const made = (bodies.get('identity') ?? Promise.resolve(Buffer.alloc(0))).then(COMPRESSORS[encoding])
  bodies.set(encoding, made)
  return made
}

const matchesEtag = (header: string | undefined, tag: string) =>
  header?.split(',').some((part) => part.trim().replace(/^W\//, '') === tag) ?? false

export async function sendCachedPage(request: FastifyRequest, reply: FastifyReply, kept: CachedPage) {
  const { page } = kept
  const encoding = chooseEncoding(request.headers['accept-encoding'])
  const tag = `"${kept.tag}-${encoding}"`
  reply.headers({ 'cache-control': 'no-cache', vary: 'accept-encoding', ...page.headers })
  if (page.status === 200) {
    reply.header('etag', tag)
    if (matchesEtag(request.headers['if-none-match'], tag)) return reply.code(304).send()
  }
  if (encoding !== 'identity') reply.header('content-encoding', encoding)
  return reply.code(page.status).send(await getEncodedBody(kept, encoding))
}

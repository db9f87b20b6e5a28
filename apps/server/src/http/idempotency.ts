import { and, eq } from 'drizzle-orm'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/client.ts'
import { idempotencyKeys } from '../db/schema/index.ts'
import { type Secrets, sha256 } from '../secrets.ts'
import { AppError, fieldError } from './errors.ts'

const getBodyContent = (body: unknown) =>
  body instanceof Uint8Array ? sha256(body).toString('hex') : JSON.stringify(body)

/** Runs `work` once per Idempotency-Key of this caller; the record and the effect are one transaction. */
export async function withIdempotencyKey<T>(
  tx: Db,
  secrets: Secrets,
  request: FastifyRequest,
  owner: string,
  work: () => Promise<T>,
): Promise<T> {
  const key = request.headers['idempotency-key']
  if (key === undefined) return work()
  if (typeof key !== 'string' || !/^[\x21-\x7e]{8,100}$/.test(key))
    throw fieldError('Idempotency-Key', 'La clé d’idempotence compte de 8 à 100 caractères, sans espace.')
  const place = `idempotency ${owner} ${key}`
  // A keyed hash: the request may contain a password, which a plain hash would let anyone guess offline.
  const [requestHash = Buffer.alloc(0), ...former] = secrets.signs(
    `${request.method} ${request.url} ${getBodyContent(request.body)}`,
  )
  // A parallel duplicate waits here for the first one's commit, then finds its answer.
  const [mine] = await tx.insert(idempotencyKeys).values({ owner, key, requestHash }).onConflictDoNothing().returning()
  const where = and(eq(idempotencyKeys.owner, owner), eq(idempotencyKeys.key, key))
  if (!mine) {
    const [first] = await tx.select().from(idempotencyKeys).where(where)
    if (!first?.reply) throw new AppError('in-progress')
    if (![requestHash, ...former].some((own) => first.requestHash.equals(own)))
      throw new AppError('idempotency-mismatch')
    return JSON.parse(secrets.open(first.reply, place))
  }
  const result = await work()
  await tx
    .update(idempotencyKeys)
    .set({ reply: secrets.seal(JSON.stringify(result), place) })
    .where(where)
  return result
}

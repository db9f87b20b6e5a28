import type { Access } from '@voisol/contract/endpoint'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/client.ts'
import { AppError } from './errors.ts'
import { type Actor, findActor, sentByCookie, tokenOf } from './session.ts'

const SAFE = new Set(['GET', 'HEAD', 'OPTIONS'])

/** A browser says where a call comes from; one that comes from another site changes nothing here. */
export function refuseForeignOrigin(request: FastifyRequest, publicUrl: string | undefined) {
  if (SAFE.has(request.method)) return
  const { origin } = request.headers
  if (origin !== undefined) {
    const host = URL.canParse(origin) ? new URL(origin).host : ''
    const own = [request.host, publicUrl && new URL(publicUrl).host]
    if (!own.includes(host)) throw new AppError('foreign-origin')
  } else if (sentByCookie(request) && request.headers['sec-fetch-site'] === 'cross-site') {
    throw new AppError('foreign-origin')
  }
}

export async function authorize(db: Db, request: FastifyRequest, access: Access): Promise<Actor | undefined> {
  if (access === 'public') return undefined
  const token = tokenOf(request)
  if (!token) throw new AppError('unauthenticated')
  const actor = await findActor(db, token)
  if (access === 'admin' && !actor.isAdmin) throw new AppError('forbidden')
  if (access === 'client' && actor.isAdmin) throw new AppError('forbidden')
  if (access === 'site' && !actor.user.keepsSite) throw new AppError('forbidden')
  return actor
}

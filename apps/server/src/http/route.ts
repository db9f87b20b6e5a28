import {
  type Endpoint,
  type EndpointReply,
  type FileReply,
  getTimeoutSeconds,
  isRepeatable,
  type ParsedInput,
} from '@voisol/contract/endpoint'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { createCancellableDb } from '../db/cancellable-queries.ts'
import { type Db, scopeToCompany, setWriteCompany, transaction } from '../db/client.ts'
import { retryOnDeadlock } from '../db/database-errors.ts'
import type { Deps } from '../deps.ts'
import type { Actor, PersonActor } from './actor.ts'
import { appendAudit } from './audit.ts'
import {
  authorizeRequest,
  requireAccountSecured,
  requireActiveSubscription,
  requirePortalBlockVisible,
  requireSameOrigin,
} from './authorize.ts'
import { getRequestOrigin } from './client-address.ts'
import { type CallTimeLimit, createCallTimeLimit, createDisconnectSignal } from './concurrency-limit.ts'
import { AppError } from './errors.ts'
import { consumeCallQuota } from './gateway/register-gateway.ts'
import { withIdempotencyKey } from './idempotency.ts'
import { refuseWhenImpersonating } from './impersonation.ts'
import { FRAMEABLE_HEADERS } from './security.ts'
import { requireSessionScope } from './session-scope.ts'

type AuditNote = {
  target?: string
  companyId?: number
  actor?: { userId: string; email: string }
  detail?: Record<string, unknown>
}

/** The context of a handler. `db` is the pool for reads, and one transaction for everything else. */
export type RouteContext<A = Actor> = Deps & {
  actor: A
  request: FastifyRequest
  /** Fires when the call has exceeded its time, to abort what it started. */
  signal: AbortSignal
  /** Adds detail to the audit entry of this call: its target, before and after. */
  note(note: AuditNote): void
  /** Sets a cookie that scripts cannot read and other sites cannot send. */
  leave(cookie: PrivateCookie): void
}
type PrivateCookie = { name: string; value: string; path: string; maxAge: number }
type ActorOf<E extends Endpoint> = E['access'] extends 'public'
  ? undefined
  : E['access'] extends 'signed-in'
    ? PersonActor
    : Actor

/** The only way to add an HTTP route. */
export function addRoute<E extends Endpoint>(
  app: FastifyInstance,
  e: E,
  handler: (input: ParsedInput<E>, ctx: RouteContext<ActorOf<E>>) => Promise<EndpointReply<E>>,
) {
  const deps = app.deps
  app.route({
    method: e.method,
    url: e.path,
    config: { endpoint: e },
    ...(e.upload && { bodyLimit: e.upload }),
    onRequest: async (request, reply) => {
      if (e.framed) reply.headers(FRAMEABLE_HEADERS)
      requireSameOrigin(request, deps.config.PUBLIC_URL)
      refuseWhenImpersonating(request, e)
      request.actor = await authorizeRequest(deps.db, request, e.access)
      requireAccountSecured(request.actor, e)
      await requireSessionScope(deps.db, request, e)
      requireActiveSubscription(request.actor, e)
      await requirePortalBlockVisible(deps.db, request.actor, e)
      await consumeCallQuota(app, request.actor, reply)
      await acquireSlot(deps, e, request, reply)
    },
    handler: releaseSlotAfter(async (request, reply) => {
      const input = parseRequest(e, request)
      const limit = createCallTimeLimit(getTimeoutSeconds(e))
      const own = { ...deps, db: createCancellableDb(deps.db, limit.signal) }
      const context = (db: Db, note: AuditNote = {}) => ({
        ...deps,
        db,
        actor: request.actor as ActorOf<E>, // authorize() sets an actor unless the endpoint is public
        request,
        signal: limit.signal,
        note: (more: AuditNote) => void Object.assign(note, more),
        leave: (cookie: PrivateCookie) => void setPrivateCookie(request, reply, cookie),
      })
      const result = await limit.within(() =>
        e.method === 'GET'
          ? handler(input, context(own.db))
          : runWrite(own, e, request, limit, (tx, note) => handler(input, context(tx, note))),
      )
      return sendReply(e, reply, result)
    }),
  })
}

function setPrivateCookie(request: FastifyRequest, reply: FastifyReply, { name, value, path, maxAge }: PrivateCookie) {
  const { PUBLIC_URL } = request.server.deps.config
  const secure = getRequestOrigin(request, PUBLIC_URL).startsWith('https:')
  reply.setCookie(name, value, { path, maxAge, secure, httpOnly: true, sameSite: 'strict' })
}

/** Before the body is read, so that a waiting call holds neither its file nor a database connection. */
async function acquireSlot({ gates }: Deps, e: Endpoint, request: FastifyRequest, reply: FastifyReply) {
  if (!request.actor) return
  const abandoned = createDisconnectSignal(reply)
  const leave = await gates(e, request.headers, request.actor.companyId, abandoned)
  request.leave = leave
  // Also released when the handler is never reached.
  const unlessHandled = () => void (request.leave && leave())
  if (abandoned.aborted) leave()
  reply.raw.once('close', unlessHandled).once('finish', unlessHandled)
}

type RouteHandler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>
/** The slot is held until the work ends, even if nobody waits for the answer any more. */
const releaseSlotAfter =
  (handler: RouteHandler): RouteHandler =>
  async (request, reply) => {
    const { leave } = request
    request.leave = undefined
    try {
      return await handler(request, reply)
    } finally {
      leave?.()
    }
  }

/** A visitor has no company: a public call checks its writes itself. */
const scopeToActorCompany = (db: Db, { actor }: FastifyRequest) => (actor ? scopeToCompany(db, actor.companyId) : db)

/**
 * The effect, its audit entry and its idempotency record are committed together or not at all; after a deadlock all of
 * it is retried.
 */
const runWrite = <T>(
  deps: Deps,
  e: Endpoint,
  request: FastifyRequest,
  limit: CallTimeLimit,
  work: (tx: Db, note: AuditNote) => Promise<T>,
) =>
  retryOnDeadlock(() =>
    transaction(scopeToActorCompany(deps.db, request), async (tx) => {
      const { actor } = request
      const note: AuditNote = {}
      const run = async () => {
        const result = await work(tx, note)
        const who = note.actor ?? actor
        const companyId = note.companyId ?? actor?.companyId ?? 0
        if (actor && companyId !== actor.companyId) await setWriteCompany(tx, companyId)
        if (e.audit !== 'none' && (who || e.audit !== 'own'))
          await appendAudit(tx, deps.secrets, {
            companyId,
            userId: who?.userId ?? null,
            actor: who?.email ?? 'visiteur',
            action: `${e.method} ${e.path}`,
            label: e.summary,
            target: note.target ?? Object.values(request.params ?? {}).join(' '),
            outcome: 'done',
            detail: { ...note.detail, ...(actor?.keyId && { byKey: actor.keyId }) },
            requestId: request.id,
            ip: request.ip,
          })
        return result
      }
      const result = await (isRepeatable(e)
        ? withIdempotencyKey(tx, deps.secrets, request, actor?.userId ?? 'public', run)
        : run())
      limit.close()
      return result
    }),
  )

/** More errors of a form would not be read. */
const MAX_ISSUES = 200

function parseRequest<E extends Endpoint>(e: E, request: FastifyRequest): ParsedInput<E> {
  const parts = { params: e.params, query: e.query, body: e.body }
  const issues: { path: string; message: string }[] = []
  const read = ([part, schema]: [string, z.ZodType | undefined]) => {
    if (!schema) return [part, undefined]
    const result = schema.safeParse(request[part as keyof typeof parts] ?? undefined) // entries() loses the key type
    if (!result.success)
      for (const { path, message } of result.error.issues.slice(0, MAX_ISSUES))
        issues.push({ path: path.join('.'), message })
    return [part, result.data]
  }
  const parsed = Object.fromEntries(Object.entries(parts).map(read))
  // An id of the wrong format is answered as not found.
  if (e.params && parsed.params === undefined) throw new AppError('not-found')
  if (issues.length) throw new AppError('invalid', { issues })
  if (e.upload) {
    if (!(request.body instanceof Uint8Array)) throw new AppError('file-expected')
    Object.assign(parsed, { upload: request.body })
  }
  return parsed as ParsedInput<E> // built from e's own schemas
}

const SANDBOX_POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

const BINARY_TYPE = 'application/octet-stream'
/** Content that a browser would render or run as ours: coming from a user, it is only offered for download. */
const ACTIVE_CONTENT_TYPE =
  /^(text\/(html|xml|xsl|css|javascript|ecmascript|x-.*)|application\/(xml|xml-.*|x?html.*|(x-)?(java|ecma)script|wasm)|.*\+xml)$/

/**
 * A type declared by the endpoint is of a file that we generated; a displayed file must be an image, and an SVG is
 * displayed alone.
 */
function getSafeContentType(e: Endpoint, { type, shown, alone }: FileReply): string {
  const declared = 'file' in e.response ? e.response.file : BINARY_TYPE
  if (type === undefined || type === declared) return declared
  const bare = type.split(';')[0]?.trim().toLowerCase() ?? ''
  if (shown) return /^image\/[\w.-]+$/.test(bare) || (alone && bare === 'image/svg+xml') ? type : BINARY_TYPE
  return ACTIVE_CONTENT_TYPE.test(bare) ? BINARY_TYPE : type
}

function sendReply<E extends Endpoint>(e: E, reply: FastifyReply, result: EndpointReply<E>) {
  if (e.response instanceof z.ZodType) {
    const parsed = e.response.parse(result)
    return reply.type('application/json; charset=utf-8').send(JSON.stringify(parsed))
  }
  const file = result as FileReply // the endpoint declares a file
  const name = encodeURIComponent(file.name)
  if (file.alone) reply.header('content-security-policy', SANDBOX_POLICY)
  if (file.shown) reply.header('cache-control', 'public, max-age=31536000, immutable')
  const inline = file.shown || e.framed
  return reply
    .type(getSafeContentType(e, file))
    .header('content-disposition', `${inline ? 'inline' : 'attachment'}; filename*=UTF-8''${name}`)
    .send(file.content)
}

import { ERRORS, type ErrorCode, type Issue, type Problem } from '@voisol/contract/errors'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import {
  getSystemErrorCode,
  isCorruptionError,
  isDeadlock,
  isDiskFullError,
  isReadOnlyError,
  READ_ONLY_MESSAGE,
} from '../db/database-errors.ts'
import { isDatabaseUnavailable } from '../db/database-unavailable.ts'

export class AppError extends Error {
  readonly code: ErrorCode
  readonly status: number
  readonly issues: Issue[] | undefined
  readonly retryAfter: number | undefined
  constructor(code: ErrorCode, more: { message?: string; issues?: Issue[]; retryAfter?: number } = {}) {
    super(more.message ?? ERRORS[code][1])
    this.code = code
    this.status = ERRORS[code][0]
    this.issues = more.issues
    this.retryAfter = more.retryAfter
  }
}

/** A validation error of one field of the form. */
export const fieldError = (path: string, message: string, code: ErrorCode = 'invalid') =>
  new AppError(code, { message, issues: [{ path, message }] })

const PARSER_CODES: Record<string, ErrorCode> = {
  FST_ERR_CTP_INVALID_JSON_BODY: 'malformed',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'malformed',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'malformed',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'media-type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'too-large',
  FST_REQ_FILE_TOO_LARGE: 'too-large',
  FST_ERR_BAD_URL: 'malformed',
}
/** An unavailable database is mostly back by then; browsers retry. */
export const UNAVAILABLE_RETRY_SECONDS = 5
/** Someone must free disk space. */
const DISK_FULL_RETRY_SECONDS = 60

const FILE_STORE_UNAVAILABLE =
  'Les fichiers ne peuvent être ni gardés ni lus pour l’instant\u00a0: réessayez dans un instant.'
const FILE_STORE_REFUSED =
  'Le stockage des fichiers refuse ce qui lui est demandé\u00a0: rien n’a été modifié. L’exploitant doit revoir ses réglages\u00a0; réessayez ensuite.'

/** Errors of a file store outside the database, by their code. */
function toFileStoreError(code: string): AppError | undefined {
  if (code === 'STORE_FULL') return new AppError('disk-full', { retryAfter: DISK_FULL_RETRY_SECONDS })
  if (code === 'STORE_AWAY')
    return new AppError('unavailable', { message: FILE_STORE_UNAVAILABLE, retryAfter: UNAVAILABLE_RETRY_SECONDS })
  if (code === 'STORE_REFUSED')
    return new AppError('unavailable', { message: FILE_STORE_REFUSED, retryAfter: DISK_FULL_RETRY_SECONDS })
  return undefined
}

export function toAppError(error: unknown): AppError | undefined {
  if (error instanceof AppError) return error
  if (!(error instanceof Error)) return undefined
  const known = PARSER_CODES[getSystemErrorCode(error)]
  if (known) return new AppError(known)
  const store = toFileStoreError(getSystemErrorCode(error))
  if (store) return store
  if ('statusCode' in error && error.statusCode === 400) return new AppError('malformed')
  if (isDiskFullError(error)) return new AppError('disk-full', { retryAfter: DISK_FULL_RETRY_SECONDS })
  if (isCorruptionError(error)) return new AppError('damaged')
  if (isReadOnlyError(error))
    return new AppError('unavailable', { message: READ_ONLY_MESSAGE, retryAfter: UNAVAILABLE_RETRY_SECONDS })
  if (isDatabaseUnavailable(error) || isDeadlock(error))
    return new AppError('unavailable', { retryAfter: UNAVAILABLE_RETRY_SECONDS })
  return undefined
}

export function sendProblem(request: FastifyRequest, reply: FastifyReply, error: AppError) {
  const problem: Problem = {
    type: `/problems/${error.code}`,
    title: ERRORS[error.code][1],
    status: error.status,
    code: error.code,
    detail: error.message,
    message: error.message,
    requestId: request.id,
    issues: error.issues,
  }
  if (error.retryAfter) reply.header('retry-after', error.retryAfter)
  return reply.code(error.status).type('application/problem+json').send(JSON.stringify(problem))
}

export function registerErrorHandler(app: FastifyInstance) {
  app.setErrorHandler((error, request, reply) => {
    const known = toAppError(error)
    request.refusal = known?.code ?? ''
    app.deps.room.note(error)
    // Damage, and refusals of a file store, are logged for the operator.
    if (!known || known.code === 'damaged' || getSystemErrorCode(error).startsWith('STORE_'))
      request.log.error({ err: error }, known?.code ?? 'unexpected')
    return sendProblem(request, reply, known ?? new AppError('internal'))
  })
}

export function registerNotFound(app: FastifyInstance) {
  app.setNotFoundHandler((request, reply) =>
    sendProblem(request, reply, new AppError('not-found', { message: 'Cette adresse n’existe pas.' })),
  )
}

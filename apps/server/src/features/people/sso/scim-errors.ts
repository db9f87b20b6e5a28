import { ERRORS } from '@voisol/contract/errors'
import type { FastifyReply } from 'fastify'
import { AppError, toAppError } from '../../../http/errors.ts'
import { SsoRefusal } from './faults.ts'

export const SCIM_TYPE = 'application/scim+json; charset=utf-8'

type ScimErrorType = 'invalidFilter' | 'invalidSyntax' | 'invalidValue' | 'uniqueness' | 'mutability'

/** A refusal as RFC 7644 writes it. */
export class ScimError extends Error {
  readonly status: number
  readonly scimType: ScimErrorType | undefined
  constructor(status: number, detail: string, scimType?: ScimErrorType) {
    super(detail)
    this.status = status
    this.scimType = scimType
  }
}

function toScimError(error: unknown): ScimError {
  if (error instanceof ScimError) return error
  if (error instanceof SsoRefusal) return new ScimError(400, error.message, 'invalidValue')
  const app = toAppError(error)
  if (!app) return new ScimError(500, ERRORS.internal[1])
  return new ScimError(
    app.status === 422 ? 400 : app.status,
    app.message,
    app.status === 422 ? 'invalidValue' : undefined,
  )
}

export function sendScimError(reply: FastifyReply, error: unknown) {
  const { status, message, scimType } = toScimError(error)
  if (error instanceof AppError && error.retryAfter) reply.header('retry-after', error.retryAfter)
  const schemas = ['urn:ietf:params:scim:api:messages:2.0:Error']
  return reply
    .code(status)
    .type(SCIM_TYPE)
    .send(JSON.stringify({ schemas, status: String(status), ...(scimType && { scimType }), detail: message }))
}

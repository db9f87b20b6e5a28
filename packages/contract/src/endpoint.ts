import type { z } from 'zod'
import type { Access } from './access.ts'
import type { PortalBlock } from './portal-management.ts'

/**
 * Whose data and rights a call touches. A session may be opened for one company alone: the server then refuses what reaches further.
 * - `company`: the company that the session is on, and nothing else;
 * - `named-company`: the company that the path names by `companyId`, or the body where there is no such part of the path;
 * - `person`: what is the person's in every company, such as their name;
 * - `person-or-company`: the same, but a session for one company is given what is of that company;
 * - `sign-in`: how the person proves who they are, and so every company they belong to;
 * - `installation`: any company, in the name of whoever runs the installation.
 */
export type Reach = 'company' | 'named-company' | 'person' | 'person-or-company' | 'sign-in' | 'installation'

export type Endpoint = {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  path: `/api/${string}`
  access: Access
  /** To be said wherever `access` is `signed-in`; what is left follows from the path (`reachOf`). */
  reaches?: Reach
  /** What the call does, in French: heading of the API reference and label of the audit entry. */
  summary: string
  params?: z.ZodObject
  query?: z.ZodObject
  body?: z.ZodType
  /** The body is a file of at most this many bytes, sent as it is (application/octet-stream). */
  upload?: number
  /** With `upload`: the file is a JSON message (application/json) whose signature covers its very bytes. */
  signed?: true
  /** A JSON reply, or a downloaded file named by its media type. */
  response: z.ZodType | { file: string }
  /** The file is a PDF, and one of our own pages shows it in a frame: so it is sent, and so is a refusal. */
  framed?: true
  /**
   * `own`: the recovery of a lost password must not leave a trace of who asked, such calls write their own audit entry.
   * `none`: the call changes nothing, although it is not a GET.
   */
  audit?: 'own' | 'none'
  /** Answered even to somebody who must first secure their account: what tells them so, and what lets them do it. */
  anyway?: true
  /** Answered also in a company whose trial or subscription is over, which otherwise only reads. */
  lapsed?: true
  /** Feeds this part of the portal's first screen and nothing else: where the company hides it, the portal is not answered either. */
  block?: PortalBlock['key']
  /** Seconds the call may take once its body is here, where its kind does not say it. Beyond, it is cut short and nothing of it stays. */
  timeout?: number
}

/** What a call reaches: what its endpoint says, else the company in its path, else the company of whoever calls. */
export const getReach = ({ reaches, path }: Pick<Endpoint, 'reaches' | 'path'>): Reach =>
  reaches ?? (path.includes('/:companyId') ? 'named-company' : 'company')

/** A retry with the same Idempotency-Key gives the first answer again instead of a second effect. */
export const isRepeatable = ({ method, audit, response }: Endpoint) =>
  method !== 'GET' && audit !== 'none' && !('file' in response)

const TIMEOUT_SECONDS = { read: 30, write: 60, file: 120, upload: 120 }

export function getTimeoutSeconds({ method, upload, response, timeout }: Endpoint): number {
  if (timeout !== undefined) return timeout
  if (upload) return TIMEOUT_SECONDS.upload
  if ('file' in response) return TIMEOUT_SECONDS.file
  return method === 'GET' ? TIMEOUT_SECONDS.read : TIMEOUT_SECONDS.write
}

type SchemaInput<S> = S extends z.ZodType ? z.input<S> : undefined
type SchemaOutput<S> = S extends z.ZodType ? z.output<S> : undefined

type InputPart = 'params' | 'query' | 'body' | 'upload'
/** What a caller passes: only the parts the endpoint declares. A browser sends a file as the `Blob` it was given. */
export type EndpointInput<E extends Endpoint> = {
  [K in InputPart as E[K] extends z.ZodType | number ? K : never]: E[K] extends number
    ? { size: number }
    : SchemaInput<E[K]>
}
/** What a handler receives, after parsing. */
export type ParsedInput<E extends Endpoint> = {
  params: SchemaOutput<E['params']>
  query: SchemaOutput<E['query']>
  body: SchemaOutput<E['body']>
  upload: E['upload'] extends number ? Uint8Array : undefined
}

/**
 * `type` where one endpoint offers several formats; `shown` where the file is a part of a page and may be kept;
 * `alone` where somebody else made it: opened by itself, it runs nothing and reaches nothing.
 */
export type FileReply = {
  name: string
  type?: string
  shown?: true
  alone?: true
  content: Uint8Array | string | AsyncIterable<Uint8Array>
}
export type EndpointReply<E extends Endpoint> = E['response'] extends z.ZodType ? z.output<E['response']> : FileReply

export const defineEndpoint = <const E extends Endpoint>(e: E) => e
